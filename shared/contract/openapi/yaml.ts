import { stringify } from 'yaml'
import { openapiDocument } from './document.ts'

/** Where the document is checked in. */
export const YAML_FILE = new URL('../openapi.yaml', import.meta.url)

/** The document as it is checked in. */
export function openapiYaml(): string {
  const head = '# Generated from the schemas beside this file by openapi/generate.ts; do not edit.\n'
  return head + stringify(openapiDocument(), { lineWidth: 120, aliasDuplicateObjects: false })
}
