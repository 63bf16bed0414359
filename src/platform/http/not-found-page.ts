/** The page for paths that nothing serves: what Puppet Server's web server sends. */

import type { HttpResponse } from './route.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function notFoundPage(path: string): HttpResponse {
  const shown = path.replace(/[&<>"]/g, (char) => entities[char] ?? char);
  const body = `<html>
<head>
<meta http-equiv="Content-Type" content="text/html;charset=ISO-8859-1"/>
<title>Error 404 Not Found</title>
</head>
<body><h2>HTTP ERROR 404 Not Found</h2>
<table>
<tr><th>URI:</th><td>${shown}</td></tr>
<tr><th>STATUS:</th><td>404</td></tr>
<tr><th>MESSAGE:</th><td>Not Found</td></tr>
<tr><th>SERVLET:</th><td>-</td></tr>
</table>

</body>
</html>
`;
  const headers = {
    'Cache-Control': 'must-revalidate,no-cache,no-store',
    'Content-Type': 'text/html;charset=iso-8859-1',
  };
  return { status: 404, headers, body };
}
