/** Errors of the database, each explained in a sentence that names the setting and the remedy. */

/** Error whose message is meant for the user of the command line. */
export class DatabaseError extends Error {
  /**
   * SQLSTATE of PostgreSQL (appendix A of its manual) or error code of Node. `undefined` for errors that Kindred
   * detected.
   */
  readonly code: string | undefined;

  constructor(message: string, code?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'DatabaseError';
    this.code = code;
  }
}

/** Server details for messages. */
export interface ServerPlace {
  /** `host:port/database`. */
  readonly label: string;
  /** The connecting role. */
  readonly user: string;
  readonly database: string;
}

/**
 * Converts an error into a message for the user. Errors that are already explained are returned unchanged. Unknown
 * errors keep the message of the server or the system, with the server's name.
 */
export function explainDatabaseError(error: unknown, place: ServerPlace): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const failed = firstOf(error);
  const code = typeof failed.code === 'string' ? failed.code : undefined;
  const sentence =
    sentenceFor(code, failed.message, place) ?? `${place.label}: ${failed.message || (code ?? 'unknown error')}`;
  return new DatabaseError(sentence, code ?? codeOf(failed.message), error);
}

interface Failure {
  readonly message: string;
  readonly code?: unknown;
}

/** A host with several addresses fails with one error for each of them. */
function firstOf(error: unknown): Failure {
  if (error instanceof AggregateError && error.errors.length > 0) return firstOf(error.errors[0]);
  return error instanceof Error ? error : { message: String(error) };
}

/** Returns a code for client errors that have none. */
function codeOf(message: string): string | undefined {
  if (/timeout/i.test(message)) return 'ETIMEDOUT';
  if (/Connection terminated|Client has encountered a connection error/i.test(message)) return 'ECONNRESET';
  return undefined;
}

function sentenceFor(code: string | undefined, message: string, place: ServerPlace): string | undefined {
  const known = code ?? codeOf(message);
  if (known === undefined) return withoutCode(message, place);
  const sentence = sentences[sameAs[known] ?? known];
  if (sentence !== undefined) return sentence(place, message);
  // Node's certificate error codes have no common prefix.
  return isOfCertificate(known) ? certificate(message, place) : undefined;
}

/** Codes with the same message as another code. */
const sameAs: Readonly<Record<string, string>> = {
  ENOENT: 'ECONNREFUSED',
  EAI_AGAIN: 'ENOTFOUND',
  EHOSTUNREACH: 'ETIMEDOUT',
  ENETUNREACH: 'ETIMEDOUT',
  EPIPE: 'ECONNRESET',
  '57P01': 'ECONNRESET',
  '57P02': 'ECONNRESET',
  '08006': 'ECONNRESET',
  '25006': '42501',
  '40001': '40P01',
};

const sentences: Readonly<Record<string, (place: ServerPlace, message: string) => string>> = {
  ECONNREFUSED: ({ label }) => `No PostgreSQL server answers at ${label}: start it, or correct --database.`,
  ENOTFOUND: ({ label }) => `The host of ${label} cannot be found: correct --database, or check the network.`,
  ETIMEDOUT: ({ label }) =>
    `${label} did not answer in time: check the server and the network, or increase connect_timeout or statement_timeout in --database.`,
  ECONNRESET: ({ label }) =>
    `The connection to ${label} was lost: repeat the command when the server is running again; uncommitted changes were not stored.`,
  '57P03': ({ label }) => `${label} is starting, stopping or recovering: repeat the command in a moment.`,
  '28P01': ({ label, user }) =>
    `${label} rejected the password of ${user}: correct it in --database, in KINDRED_DATABASE or in ~/.pgpass.`,
  '28000': whyRefused,
  '3D000': ({ label, database }) =>
    `There is no database ${database} at ${label}: create it (createdb ${database}), or correct --database.`,
  '42501': ({ label, user }, message) =>
    `${user} lacks privileges at ${label} (${message}): grant the role those listed in docs/database.md, or use another role in --database.`,
  '53100': ({ label }, message) =>
    `The disk of ${label} is full (${message}): free some space and repeat the command; uncommitted changes were not stored.`,
  '53200': ({ label }, message) =>
    `${label} is out of memory (${message}): give the server more memory, or lower its work_mem.`,
  '53300': ({ label }) => `${label} accepts no more connections: raise its max_connections, or use fewer workers.`,
  '53400': ({ label }, message) => `${label} has no more temporary space (${message}): raise its temp_file_limit.`,
  '57014': ({ label }, message) =>
    `${label} cancelled a statement (${message}): increase statement_timeout in --database.`,
  '40P01': ({ label }) => `Another command is writing the same data at ${label}: repeat this one.`,
};

/** Explains messages of the client itself, which have no code. */
function withoutCode(message: string, place: ServerPlace): string | undefined {
  if (/does not support SSL/i.test(message)) {
    return `${place.label} does not support TLS: enable it there, or add sslmode=disable to --database.`;
  }
  if (/password must be a string|no password/i.test(message)) {
    return `${place.label} requires a password for ${place.user}: set it in KINDRED_DATABASE or ~/.pgpass.`;
  }
  return isOfCertificate(message) ? certificate(message, place) : undefined;
}

/** Explains a rejection by pg_hba.conf, which may be caused by missing TLS. */
function whyRefused({ label, user }: ServerPlace, message: string): string {
  if (/no encryption|SSL off/i.test(message)) {
    return `${label} rejects ${user} without TLS: add sslmode=require to --database, or allow the role in pg_hba.conf.`;
  }
  return `${label} rejects ${user} (${message}): correct the role in --database, or allow it in the server's pg_hba.conf.`;
}

function isOfCertificate(text: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|certificate/i.test(text);
}

function certificate(message: string, { label }: ServerPlace): string {
  return `The certificate of ${label} is not trusted (${message}): specify its CA with sslrootcert in --database, or use sslmode=no-verify.`;
}
