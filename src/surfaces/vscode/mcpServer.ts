/** Registers Kindred's MCP server for agents that use VS Code's servers. */
import * as vscode from 'vscode';
import type { OrganisationDatabase } from './similar/organisationDatabase.ts';

/**
 * Provides the MCP server for the folders on disk.
 *
 * @param script  the command line's bundle
 */
export function registerMcpServer(
  script: vscode.Uri,
  version: string,
  database: OrganisationDatabase,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    database.onDidChange(() => changed.fire()),
    vscode.lm.registerMcpServerDefinitionProvider('kindred', {
      onDidChangeMcpServerDefinitions: changed.event,
      ...mcpServers(script, version, database),
    }),
  );
}

/** @param isTrusted  false in Restricted Mode, in which no server is provided, because it runs Git for agents */
export function mcpServers(
  script: vscode.Uri,
  version: string,
  database: Pick<OrganisationDatabase, 'address'>,
  isTrusted = (): boolean => vscode.workspace.isTrusted,
): vscode.McpServerDefinitionProvider {
  return {
    provideMcpServerDefinitions: () => {
      if (!isTrusted()) return [];
      const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
      if (folders.length === 0) return [];
      const given = [script.fsPath, 'mcp', ...folders.map(({ uri }) => uri.fsPath)];
      // VS Code's own executable runs scripts as Node does.
      const environment = { ELECTRON_RUN_AS_NODE: '1' };
      return [new vscode.McpStdioServerDefinition('Kindred', process.execPath, given, environment, version)];
    },

    /** Secrets are only read when the server starts. */
    resolveMcpServerDefinition: async (server) => {
      if (!isTrusted() || !(server instanceof vscode.McpStdioServerDefinition)) return server;
      const address = await database.address();
      if (address && 'addresses' in address) server.env['KINDRED_DATABASE'] = address.addresses;
      return server;
    },
  };
}
