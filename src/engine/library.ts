/** The engine for other programs: dist/engine.js. */
export { defaultOptions } from './options.ts';
