/** Commands as Windows starts them, on a machine of any system. */
import { windowsOf } from '../doubles/windows.ts';

export const cmd = 'C:\\Windows\\System32\\cmd.exe';

export const { platform: windows, started } = windowsOf([
  'C:\\node\\node.exe',
  'C:\\node\\npm.cmd',
  'C:\\tools\\lint.bat',
  'C:\\work\\node.exe',
  '\\\\server\\share\\evil.exe',
  'C:\\work\\.bin\\own.cmd',
]);
