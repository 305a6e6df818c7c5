import type { Listing } from '../catalogue/listing.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!)

/** The page behind the `url` of a record, in the plainest form that names the listing. */
export function listingPage({ record }: Listing): Response {
  const { fullName, summary, summaryZh, install, repoUrl } = record
  const text = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escaped(fullName)}</title>
<h1>${escaped(fullName)}</h1>
${summary === null ? '' : `<p>${escaped(summary)}</p>`}
${summaryZh === null ? '' : `<p lang="zh">${escaped(summaryZh)}</p>`}
<p>${install === null ? 'No command installs it.' : `<code>${escaped(install)}</code>`}</p>
<p><a href="${escaped(repoUrl)}">Source</a></p>
<p>A listing is not a security review.</p>
`
  return new Response(text, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" },
  })
}
