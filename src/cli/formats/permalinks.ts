/** Where a service shows the lines of a file, as the variables of its pipelines tell: GitHub, and what is like it, and GitLab. */

export type LinkTo = (path: string, startLine: number, endLine: number) => string;

/** Undefined when no service is known. Paths are relative to the repository. */
export function permalinks(environment: NodeJS.ProcessEnv): LinkTo | undefined {
  const pattern = addressPattern(environment, '');
  if (pattern === undefined) return undefined;
  return (path, start, end) => {
    const [before, after = ''] = pattern.split('{path}');
    return `${before}${encoded(path)}${after.replace('{start}', String(start)).replace('{end}', String(end))}`;
  };
}

/** The same as a text with {path}, {start} and {end}. @param prefix  comes before the path */
export function addressPattern(environment: NodeJS.ProcessEnv, prefix: string): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_SHA: commit } = environment;
  if (server && repository && commit) {
    return `${server}/${repository}/blob/${commit}/${encoded(prefix)}{path}#L{start}-L{end}`;
  }
  const { CI_PROJECT_URL: project, CI_COMMIT_SHA: sha } = environment;
  return project && sha ? `${project}/-/blob/${sha}/${encoded(prefix)}{path}#L{start}-{end}` : undefined;
}

function encoded(path: string): string {
  return path
    .split('/')
    .map((name) => encodeURIComponent(name).replaceAll(/[()]/g, escape))
    .join('/');
}

/** Parentheses end a link in Markdown. */
function escape(sign: string): string {
  return sign === '(' ? '%28' : '%29';
}
