// The kernel's surface: what the engine calls. Everything here is AssemblyScript, compiled to one WebAssembly module
// that owns no memory: all addresses come from the engine (src/engine/kernel.ts), which shares one memory among threads.
export { lex } from './lex';
