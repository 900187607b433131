/** The build of bottleneck without Redis has no types of its own; they are the same. */
declare module 'bottleneck/light.js' {
  export { default } from 'bottleneck';
}
