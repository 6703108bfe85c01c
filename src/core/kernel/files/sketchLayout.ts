// Records of sketch.ts, written by scripts/build.mjs: change them there.
export const sketchHeadBytes = 8;
export const sketchHeadFingerprintAt = 0;
