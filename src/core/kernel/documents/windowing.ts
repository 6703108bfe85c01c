// Settings of the fingerprints of windows. scripts/build.mjs derives windowingLayout.ts from this file.
import { Votes } from './votes';

@unmanaged export class Windowing {
  /** Maximum number of tokens of a window. */
  windowTokens: u32;
  /** Number of tokens of a shingle. */
  shingleSize: u32;
  /** 1 if names and literals count only by their kind, otherwise 0. */
  renamed: u32;
  /** Minimum number of tokens of a seed's window, and of distinct ones. */
  minTokens: u32;
  minDistinct: u32;
  /** Address of the weights of token kinds: u16 for each of 16 kinds, at most 63. */
  weights: usize;
  votes: Votes;
}
