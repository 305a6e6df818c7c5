/**
 * Writes openapi.yaml from the schemas: `node shared/contract/openapi/generate.ts`. A test fails when it was
 * forgotten.
 */
import { writeFile } from 'node:fs/promises'
import { openapiYaml, YAML_FILE } from './yaml.ts'

await writeFile(YAML_FILE, openapiYaml())
