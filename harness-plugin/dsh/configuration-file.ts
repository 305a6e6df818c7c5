import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Document, isMap, isSeq, parseDocument, type YAMLMap } from 'yaml'
import type { ConfigurationFile } from '../host/index.ts'
import { writeProfileFile } from '../host/profile/files.ts'

/** File in which a person changes rows of the harness (0.1.0-rc.8, 0.2.1): a list of maps with `id` and `config`. */
const FILE = 'cordis.patch.yml'

/**
 * Opens the store's row in a profile's own patch. Keeps the rest of the file, with its comments and line ends.
 *
 * @param id of the row
 */
export function configurationFile(profile: string, id: string): ConfigurationFile {
  const path = join(profile, FILE)

  async function open() {
    const text = await readFile(path, 'utf8').catch((error) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    const parsed = parseDocument(text)
    if (parsed.errors[0]) throw new Error(`${FILE}: ${parsed.errors[0].message}`)
    const document = parsed.contents === null ? new Document([]) : parsed
    if (parsed.contents === null && parsed.commentBefore) document.commentBefore = parsed.commentBefore
    const rows = document.contents
    if (!isSeq(rows)) throw new Error(`${FILE} is no list.`)
    const row = rows.items.find((item): item is YAMLMap => isMap(item) && item.get('id') === id)
    return { text, document, rows, row }
  }

  return {
    path,
    async read() {
      const { document, row } = await open()
      const config = row?.get('config', true)
      return isMap(config) ? config.toJS(document) : {}
    },
    async write(configuration) {
      const { text, document, rows, row = document.createNode({ id }) as YAMLMap } = await open()
      if (!rows.items.includes(row)) rows.add(row)
      const config = row.get('config', true)
      if (isMap(config)) {
        for (const { key } of [...config.items]) if (!(String(key) in configuration)) config.delete(key)
        for (const [name, value] of Object.entries(configuration))
          if (JSON.stringify(config.get(name)) !== JSON.stringify(value)) config.set(name, value)
      } else row.set('config', document.createNode(configuration))
      const written = document.toString({ lineWidth: 0 })
      await writeProfileFile(profile, FILE, text.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written)
    },
  }
}
