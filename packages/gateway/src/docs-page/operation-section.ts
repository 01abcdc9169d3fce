import type { Json } from '@poolgate/contract';
import { escapeHtml } from '@poolgate/provider';
import type { ApiDocument, ShownContent, ShownOperation } from './api-document.ts';
import { renderMemberRow, renderSchemaTables, renderTable } from './schema-table.ts';

/** A method of a path, and the service's address. */
export interface PathOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: ShownOperation;
  readonly baseUrl: string;
}

/** Renders an operation as an expandable section. */
export function renderOperation(document: ApiDocument, placed: PathOperation): string {
  const { method, path, operation } = placed;
  const { operationId, summary } = operation;
  return `<details id="${escapeHtml(operationId)}">
<summary><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code> <span class="what">${escapeHtml(summary)}</span></summary>
${[renderCallers(document, operation), renderMounts(placed), renderParameters(document, operation), renderRequest(document, operation), renderSampleRequest(placed), renderSuccesses(document, operation), renderRefusals(operation)].join('\n')}
</details>`;
}

function renderCallers({ components }: ApiDocument, { security }: ShownOperation): string {
  const words = security.map((one) => {
    const names = Object.keys(one).map((name) => components.securitySchemes[name]?.description ?? name);
    return names.length === 0 ? 'No header is needed when the body contains the access token.' : names.join(' and ');
  });
  if (words.length === 0) return '<p>Anybody may call it.</p>';
  return `<h4>What it asks for</h4><ul>${words.map((word) => `<li>${escapeHtml(word)}</li>`).join('')}</ul>`;
}

function renderMounts({ path, operation }: PathOperation): string {
  const urls = operation.servers?.map(({ url }) => `${url === '/' ? '' : url}${path}`) ?? [];
  if (urls.length < 2) return '';
  return `<p>At ${urls.map((url) => `<code>${escapeHtml(url)}</code>`).join(', ')}.</p>`;
}

function renderParameters(document: ApiDocument, { parameters: all = [] }: ShownOperation): string {
  if (all.length === 0) return '';
  const rows = all.map(({ name, in: place, required = false, schema }) =>
    renderMemberRow(document, { name: place === 'query' ? `?${name}` : name, isRequired: required, schema }),
  );
  return `<h4>Path and query</h4>${renderTable(rows)}`;
}

function renderRequest(document: ApiDocument, { requestBody }: ShownOperation): string {
  const content = requestBody && findFirstContent(requestBody.content);
  const tables = content && renderSchemaTables(document, content.schema);
  return tables ? `<h4>Body</h4>${tables}` : '';
}

/** A request that can be pasted into a shell. */
function renderSampleRequest({ method, path, operation, baseUrl }: PathOperation): string {
  const { requestBody, security } = operation;
  const body = requestBody && findFirstContent(requestBody.content)?.example;
  const header = security.length === 0 ? [] : ["-H 'Authorization: Bearer …'"];
  const sent = body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${quoteForShell(body)}'`];
  const verb = method === 'get' ? [] : [`-X ${method.toUpperCase()}`];
  const line = ['curl -s', ...verb, `${baseUrl}${path}`, ...header, ...sent].join(' ');
  return `<h4>Example</h4><pre>${escapeHtml(line)}</pre>`;
}

function quoteForShell(body: Json): string {
  return JSON.stringify(body).replaceAll("'", "'\\''");
}

function renderSuccesses(document: ApiDocument, { responses }: ShownOperation): string {
  const good = Object.entries(responses).filter(([status]) => Number(status) < 400);
  return good
    .map(([status, { description, content }]) => {
      const one = content && findFirstContent(content);
      const example = one?.example;
      const tables = one === undefined ? '' : renderSchemaTables(document, one.schema);
      const shown = example === undefined ? '' : `<pre>${escapeHtml(JSON.stringify(example, null, 2))}</pre>`;
      return `<h4>${status}</h4><p>${escapeHtml(description)}</p>${shown}${tables}`;
    })
    .join('');
}

/** The description of an error response lists its codes with their titles. */
function renderRefusals({ responses }: ShownOperation): string {
  const rows = Object.entries(responses).flatMap(([status, { description }]) => {
    if (Number(status) < 400) return [];
    const codes = [...description.matchAll(/([a-z_]+): ([^.]+)\./g)];
    return codes.map(([, code = '', title = '']) => {
      const link = `<a href="../errors/${code}"><code>${code}</code></a>`;
      return `<tr><td>${escapeHtml(status)}</td><td>${link}</td><td>${escapeHtml(title)}</td></tr>`;
    });
  });
  return `<h4>Refusals</h4><table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function findFirstContent(content: ShownContent): ShownContent[string] | undefined {
  return Object.values(content)[0];
}
