import { readFile } from 'node:fs/promises'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { PluginRecordSchema } from '../index.ts'
import { openapiDocument, openapiYaml, YAML_FILE } from './document.ts'

describe('openapi.yaml', () => {
  test('equals the output of the schemas; if not, run: node shared/contract/openapi/generate.ts', async () => {
    expect(await readFile(YAML_FILE, 'utf8')).toBe(openapiYaml())
  })

  test('parses to the document that it was generated from', () => {
    expect(parse(openapiYaml())).toEqual(openapiDocument())
  })

  test('allows the numbers out of range that its descriptions mention', () => {
    const { limit, page } = parse(openapiYaml()).components.parameters
    for (const { schema, description } of [limit, page]) {
      expect(description).toContain('counts as absent')
      const validate = new Ajv2020({ strict: false }).compile(schema)
      for (const value of [1, 0, -3, 5000, '2.5', 'many', '']) expect(validate(value), String(value)).toBe(true)
    }
  })

  test('breaks no recommended rule of the OpenAPI linter', async () => {
    const problems = await lintFromString({
      source: await readFile(YAML_FILE, 'utf8'),
      absoluteRef: 'openapi.yaml',
      config: await createConfig({ extends: ['recommended'] }),
    })
    const errors = problems.filter(({ severity }) => severity === 'error')
    expect(errors.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`)).toEqual(
      [],
    )
  })

  test('documents every field that the record schema reads', () => {
    const { components } = openapiDocument() as { components: { schemas: Record<string, { properties: object }> } }
    const [object] = PluginRecordSchema.pipe
    expect(Object.keys(components.schemas.PluginRecord!.properties)).toEqual(Object.keys(object.entries))
    expect(v.isOfKind('schema', object)).toBe(true)
  })
})
