const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Byleave</title>
<h1>Byleave is running</h1>
<p>See what waits with <code>byleave pending</code>, decide with <code>byleave approve</code> and <code>byleave deny</code>,
or watch it live with <code>byleave watch</code>.</p>
</html>
`

const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
}

/** What a browser sees at the service's address. Says nothing that is anyone's secret. */
export function frontPage(request: Request): Response | null {
  if (request.method !== "GET" || new URL(request.url).pathname !== "/") return null
  return new Response(page, { headers })
}
