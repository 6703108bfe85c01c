/**
 * Constants of the methods that developers choose by measurements (bench/results). The options that users set are in
 * options.ts.
 */
export const tuning = {
  /** Windows of code as written. Sizes in tokens. */
  written: { tokens: 18, leastTokens: 13, leastDistinct: 9 },
  /** Number of tokens in a window of a listing or table. Such windows are compared only for equality. */
  listingTokens: 50,
  /** Windows of code in which names count by kind only. They are less distinctive, so they must be longer. */
  renamed: { tokens: 24, leastTokens: 18, leastDistinct: 8 },
  prose: {
    /** Number of words in a window of prose. */
    windowWords: 5,
    /** One of this many words, selected by content, begins a window. */
    anchorModulus: 2,
    /**
     * Maximum length in tokens of quoted code that has windows of prose. By default, shorter code is not a passage of
     * code, so it is found as part of its page. Longer code has only windows of code. With windows of prose for all
     * quoted code, a scan of 355 pages took 8 % instead of 4 % longer than without quoted code, and the additional
     * findings were code that is not accepted as code.
     */
    mostCode: 50,
  },
  seeds: {
    /**
     * If at most this many windows have a fingerprint, all of them are linked across documents. Otherwise, only the
     * first window of each document is linked. With 4, related documents were missed if five documents had equal
     * beginnings. With 400, matching 22,700 functions took twice as long: see bench/results/2026-11-22-kin.md.
     */
    allPairs: 8,
    /**
     * Each fingerprint is linked to at most this many smaller ones within the distance, or to more if chance hits
     * require it (see `mostPartners`). Few links are enough to keep real copies together.
     */
    partners: 64,
    mostPartners: 256,
  },
  align: {
    /**
     * An extension ends if its score drops by more than this below its maximum. Scores are explained in
     * src/core/kernel/matches/extend.ts.
     */
    xDrop: 40,
    /** Minimum score of the strict extension of a seed. Above it, the patient extension is tried, too. */
    promisingScore: 100,
    /** Maximum number of tokens on either side that a chain may skip. */
    gapTokens: 130,
    /** Minimum score of an extension that may become part of a chain. */
    leastPieceScore: 90,
  },
  /**
   * The score of a match of code is a quadratic form of its features. The match is accepted if the score is at least 0.
   * The weights come from a sparse logistic regression, see docs/decisions/0003-accepting-matches.md. The terms of
   * `sameDocument` with `gaps` and `consistent` were set by hand, because no copy in the training data is in the same
   * file as its original.
   */
  classifier: {
    features: [
      'one',
      'equal',
      'consistent',
      'once',
      'differing',
      'gaps',
      'evenness',
      'length',
      'sameDocument',
      'longest',
      'vocabulary',
      'identifiers',
    ],
    terms: {
      one: -16.43,
      'consistent differing': -172.93,
      'differing differing': -66.68,
      'once gaps': -49.11,
      'consistent once': 23.32,
      'once once': -21.7,
      'consistent identifiers': -18.09,
      'differing gaps': -10.79,
      'differing vocabulary': 10.4,
      'gaps sameDocument': -5,
      'consistent consistent': -9.08,
      'consistent sameDocument': -5,
      'consistent length': 8.75,
      evenness: 6.3,
      'evenness evenness': 6.19,
      'once identifiers': -6.0,
      'equal evenness': 4.73,
      'differing longest': -3.54,
      equal: 2.47,
      'differing length': -1.77,
      'longest vocabulary': 1.44,
      'evenness vocabulary': 1.34,
      'vocabulary vocabulary': 1.32,
      'sameDocument vocabulary': -1.05,
      'gaps vocabulary': 0.85,
      'gaps identifiers': -0.73,
      identifiers: -0.62,
      'evenness length': 0.34,
      'length length': -0.27,
      'length vocabulary': 0.16,
      vocabulary: 0.03,
    } as Readonly<Record<string, number>>,
    /** Penalty for a pair that no seed has led to. */
    given: 1,
    /**
     * If the minimum similarity is below its default, scores below 0 are accepted. This is the accepted amount per unit
     * of similarity: 3 in total at 0.45. Users who lower the minimum similarity ask for copies that only some readers
     * would accept. Such matches must have the distinct shingles of a match of `ofTokens` tokens, however short they
     * are; otherwise, the same number of copies would cost twice the precision. See bench/results/2026-11-23-loose.md.
     */
    allowance: 30,
  },
  /**
   * Minimum number of distinct shingles of four tokens that both passages of a match of code share, as counted by the
   * kernel's hasDistinctShingles, if passages have at least `ofTokens` tokens. If the minimum length is below
   * `ofTokens`, so is the minimum number, in proportion.
   */
  distinctShingles: { least: 40, ofTokens: 50 },
  /**
   * Limits of Find Similar: number of windows to examine per fingerprint, and number of documents to compare, most
   * promising first. The result reports what was skipped.
   */
  similar: { windows: 2_000, documents: 500 },
  files: {
    /**
     * A document that is too short for a passage is compared with equal documents only if it has at least this many
     * lines.
     */
    equalLines: 10,
    /**
     * Number of bins of a document's signature. With 128 bins, the standard error of a resemblance estimate is at most
     * 0.044.
     */
    bins: 128,
    /**
     * Number of bins in a band. With 42 bands, 99.6 % of the pairs with a resemblance of 0.5 agree in at least one
     * band.
     */
    rows: 3,
    /** A pair is compared if its estimate is at most this many standard errors below the required resemblance. */
    slackErrors: 3,
    /** In a bucket, a document is linked to the first document and to this many of the previous ones. */
    partners: 4,
    /**
     * Criteria for similar documents: minimum resemblance, and maximum distance of the fingerprints. See bench/results
     * for precision and recall.
     */
    minhash: { least: 0.5, farthest: 64 },
    simhash: { least: 0, farthest: 6 },
    combined: { least: 0.5, farthest: 12 },
    containment: {
      /** Minimum share of a document that must be in another one for it to count as contained. */
      least: 0.8,
      /**
       * Number of hashes by which a document is looked up. A hash is ignored if more than `commonProbe` documents have
       * it.
       */
      probes: 8,
      commonProbe: 32,
      /** Maximum number of documents with half of the probes that are compared as possible containers. */
      containersTried: 8,
    },
    /**
     * If a group has at most this many documents, every pair is compared. Otherwise, each document is compared with the
     * leader.
     */
    verifyAll: 8,
    /**
     * Number of smallest shingle hashes that form a group's id. Groups of passages, of files, and of contained files
     * use different numbers.
     */
    leastHashes: 3,
    leastHashesInside: 2,
    /** One of this many hashes is in the sample of a document, which is used to find containment. */
    modulus: 8,
  },
  groups: {
    /**
     * Two passages are joined if their overlap is at least this share of their union. Passages of code are cut to
     * blocks, so a smaller overlap means another block. Passages of prose can begin and end at any word; a joined
     * passage is shown with words that its copy lacks. With 0.7 for prose, this caused two fifths of the precision
     * loss.
     */
    samePassage: { code: 0.7, prose: 0.85 },
    /**
     * A passage is nested in another one if at least this share of it is inside. A lower share would hide groups that
     * extend beyond the larger one; a higher one would show a copy twice if its matches end at slightly different
     * places. The value is not based on a measurement, and it matters only up to 120 tokens: `mostOutside` is stricter
     * for longer passages.
     */
    inside: 0.8,
    /**
     * Maximum number of tokens of a nested passage that are outside. Matches may leave out part of a statement at their
     * ends.
     */
    mostOutside: 24,
    /**
     * If a group has at most this many passages, every pair is verified. Otherwise, each passage is verified against
     * the leader.
     */
    verifyAll: 16,
    /** Number of smallest shingle hashes that form a group's id. */
    leastHashes: 4,
  },
} as const;
