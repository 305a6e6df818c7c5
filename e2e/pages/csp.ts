/**
 * The Content-Security-Policy github.com answered with on 2026-07-31 (`curl -I https://github.com`), a directive a
 * line. It is what a userscript really meets: no connection to foreign hosts, no foreign images or fonts, no inline
 * scripts.
 */
const GITHUB: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'base-uri': "'self'",
  'child-src':
    'github.githubassets.com github.com/assets-cdn/worker/ github.com/assets/ gist.github.com/assets-cdn/worker/',
  'connect-src': `'self' uploads.github.com www.githubstatus.com collector.github.com raw.githubusercontent.com
    api.github.com github-cloud.s3.amazonaws.com github-production-repository-file-5c1aeb.s3.amazonaws.com
    github-production-upload-manifest-file-7fdce7.s3.amazonaws.com
    github-production-user-asset-6210df.s3.amazonaws.com *.rel.tunnels.api.visualstudio.com
    wss://*.rel.tunnels.api.visualstudio.com github.githubassets.com objects-origin.githubusercontent.com
    copilot-proxy.githubusercontent.com proxy.individual.githubcopilot.com proxy.business.githubcopilot.com
    proxy.enterprise.githubcopilot.com *.actions.githubusercontent.com wss://*.actions.githubusercontent.com
    ${Array.from({ length: 20 }, (_, n) => `productionresultssa${n}.blob.core.windows.net`).join(' ')}
    github-production-repository-image-32fea6.s3.amazonaws.com
    github-production-release-asset-2e65be.s3.amazonaws.com insights.github.com wss://alive.github.com
    wss://alive-staging.github.com api.githubcopilot.com api.individual.githubcopilot.com
    api.business.githubcopilot.com api.enterprise.githubcopilot.com
    wss://production-copilot-host.webpubsub.azure.com edge.fullstory.com rs.fullstory.com`,
  'font-src': 'github.githubassets.com',
  'form-action':
    "'self' github.com gist.github.com copilot-workspace.githubnext.com objects-origin.githubusercontent.com",
  'frame-ancestors': "'none'",
  'frame-src': 'viewscreen.githubusercontent.com notebooks.githubusercontent.com www.youtube-nocookie.com',
  'img-src': `'self' data: blob: github.githubassets.com media.githubusercontent.com camo.githubusercontent.com
    identicons.github.com avatars.githubusercontent.com private-avatars.githubusercontent.com
    github-cloud.s3.amazonaws.com objects.githubusercontent.com release-assets.githubusercontent.com
    secured-user-images.githubusercontent.com user-images.githubusercontent.com
    private-user-images.githubusercontent.com opengraph.githubassets.com repository-images.githubusercontent.com
    marketplace-screenshots.githubusercontent.com
    copilotprodattachments.blob.core.windows.net/github-production-copilot-attachments/
    github-production-user-asset-6210df.s3.amazonaws.com customer-stories-feed.github.com
    spotlights-feed.github.com explore-feed.github.com objects-origin.githubusercontent.com *.githubusercontent.com
    images.ctfassets.net/8aevphvgewt8/`,
  'manifest-src': "'self'",
  'media-src': `github.com user-images.githubusercontent.com secured-user-images.githubusercontent.com
    private-user-images.githubusercontent.com github-production-user-asset-6210df.s3.amazonaws.com gist.github.com
    github.githubassets.com assets.ctfassets.net/8aevphvgewt8/ videos.ctfassets.net/8aevphvgewt8/`,
  'script-src': 'github.githubassets.com',
  'style-src': "'unsafe-inline' github.githubassets.com",
  'upgrade-insecure-requests': '',
  'worker-src':
    'github.githubassets.com github.com/assets-cdn/worker/ github.com/assets/ gist.github.com/assets-cdn/worker/',
}

/**
 * The policy as a header value.
 *
 * @param changes directives to replace or add; null leaves one out
 */
export function contentSecurityPolicy(changes: Readonly<Record<string, string | null>> = {}): string {
  return Object.entries({ ...GITHUB, ...changes })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${value}`.replace(/\s+/g, ' ').trim())
    .join('; ')
}
