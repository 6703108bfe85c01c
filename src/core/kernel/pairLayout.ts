// Records of pair.ts, written by scripts/build.mjs: change them there.
export const equalFoundBits = -1;
export const pairCounts = 2048;
export const pairBytes = 16;
export const pairAAt = 0;
export const pairBAt = 8;
export const choiceHeadBytes = 16;
export const choiceHeadMaskAt = 0;
export const choiceHeadLeftOutAt = 8;
