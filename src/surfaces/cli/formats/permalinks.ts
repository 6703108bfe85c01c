/** Creates links to lines on GitHub, GitLab, and the like, from the environment variables of their pipelines. */

export type LinkMaker = (path: string, startLine: number, endLine: number) => string;

/** Returns a function that creates links from paths relative to the repository; `undefined` without a service. */
export function permalinks(environment: NodeJS.ProcessEnv): LinkMaker | undefined {
  const pattern = addressPattern(environment, '');
  if (pattern === undefined) return undefined;
  return (path, start, end) => {
    const [before, after = ''] = pattern.split('{path}');
    return `${before}${encoded(path)}${after.replace('{start}', String(start)).replace('{end}', String(end))}`;
  };
}

/**
 * Returns a link template with the placeholders {path}, {start}, and {end}.
 *
 * @param prefix  text to insert before each path
 */
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

/** Escapes a parenthesis, which would end a Markdown link. */
function escape(sign: string): string {
  return sign === '(' ? '%28' : '%29';
}
