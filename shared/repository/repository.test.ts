import { expect, test } from 'vitest'
import { mcpName, repositoryFields } from './index.ts'

test('names repository, homepage and issues from one address', () => {
  expect(repositoryFields('harness-plugin/cli', 'https://code.example/acme/plugmark')).toEqual({
    repository: { type: 'git', url: 'git+https://code.example/acme/plugmark.git', directory: 'harness-plugin/cli' },
    homepage: 'https://code.example/acme/plugmark#readme',
    bugs: { url: 'https://code.example/acme/plugmark/issues' },
  })
})

test('names nothing while no address is set', () => {
  expect(repositoryFields('harness-plugin/cli', null)).toEqual({})
})

test('names the MCP server after the account on the code host, with its case, and nothing for another host', () => {
  expect(mcpName('https://github.com/Acme/plugmark')).toBe('io.github.Acme/plugmark')
  expect(mcpName('https://code.example/acme/plugmark')).toBeNull()
  expect(mcpName(null)).toBeNull()
})
