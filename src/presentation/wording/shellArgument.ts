/** Quotes an argument of a command that is shown to users, if a shell would read it differently. */
export function shellArgument(text: string): string {
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
