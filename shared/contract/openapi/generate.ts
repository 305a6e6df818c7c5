/**
 * Writes openapi.yaml from the schemas: `node shared/contract/openapi/generate.ts`. A test fails when
 * the file is out of date.
 */
import { writeFile } from 'node:fs/promises'
import { openapiYaml, YAML_FILE } from './document.ts'

await writeFile(YAML_FILE, openapiYaml())
