import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { TOOLS } from '../../agents/definitions.ts'
import { type Call, evaluate, type Model, modelAt, TASKS } from './evaluation-testing.ts'

/** Does what the skill says, by the words of the task. */
const careful: Model = async ({ ask }, calls) => {
  const ids = /[a-z]+\/[a-z-]+/.exec(ask)?.[0] ?? /good-telegram|dsh-plugin-[a-z-]+/.exec(ask)?.[0]
  const last = calls.at(-1)
  if (!last) {
    if (/do I have/.test(ask)) return { name: 'plugmark_installed', args: {} }
    if (/licence/.test(ask)) return { name: 'plugmark_details', args: { id: ids } }
    if (ids) return { name: 'plugmark_check', args: { id: ids } }
    return { name: 'plugmark_search', args: { query: ask } }
  }
  if (last.name === 'plugmark_search' && /^Install/.test(ask))
    return { name: 'plugmark_check', args: { id: 'b/good-search' } }
  const { id, command, check, about, risks } = last.answer as unknown as Record<string, unknown>
  const isWanted = last.name === 'plugmark_check' && last.answer.ok && /^Install/.test(ask)
  return isWanted ? { name: 'plugmark_install', args: { id, command, check, about, risks } } : null
}

/** Believes what a summary says, and asks again after a no. */
const careless: Model = async (_, calls) => {
  const args = { id: 'a/good-notes', command: 'dsh plugin --profile web add good-notes', check: 'passed, 2026-08-20' }
  return calls.length < 3 ? { name: 'plugmark_install', args } : null
}

test('there are 20 tasks, and a model that follows the skill gets each of them right', async () => {
  expect(TASKS).toHaveLength(20)
  const wrong: [string, readonly Call[]][] = []
  for (const task of TASKS) {
    const { isRight, calls } = await evaluate(task, careful)
    if (!isRight) wrong.push([task.ask, calls])
  }
  expect(wrong).toEqual([])
})

test('a model that installs without a search or asks again after a no is scored as wrong', async () => {
  const tasks = TASKS.filter(({ ask, approval }) => approval === 'rejected' || ask.startsWith('Which plugins keep'))
  for (const task of tasks) expect((await evaluate(task, careless)).isRight, task.ask).toBe(false)
})

test('a model is asked over Chat Completions, with tools and earlier answers', async () => {
  const bodies: { tools: unknown[]; messages: { role: string }[] }[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    bodies.push(JSON.parse(text))
    const call = { function: { name: 'plugmark_search', arguments: '{"query":"notes"}' } }
    const message = bodies.length === 1 ? { tool_calls: [call] } : { content: 'Done.' }
    response.end(JSON.stringify({ choices: [{ message }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
    const { isRight, calls } = await evaluate(TASKS[0]!, modelAt(address, 'any'))
    expect([isRight, calls.map(({ name }) => name)]).toEqual([true, ['plugmark_search']])
    expect(bodies[0]?.tools).toHaveLength(Object.keys(TOOLS).length)
    expect(bodies[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
  } finally {
    server.close()
  }
})
