/** The ecosystems, in the order in which their tools are detected. */
import { cpp } from './cpp.ts';
import { dart } from './dart.ts';
import { dotnet } from './dotnet.ts';
import type { Ecosystem } from './ecosystem.ts';
import { elixir } from './elixir.ts';
import { go } from './go.ts';
import { javascript } from './javascript/index.ts';
import { jvm } from './jvm.ts';
import { make } from './make.ts';
import { php } from './php.ts';
import { python } from './python/index.ts';
import { rspec } from './rspec.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';
import { swift } from './swift.ts';

export const ecosystems: readonly Ecosystem[] = [
  javascript,
  python,
  rust,
  go,
  jvm,
  swift,
  dart,
  elixir,
  php,
  rspec,
  ruby,
  cpp,
  dotnet,
  make,
];
