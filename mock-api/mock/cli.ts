import { runProgram } from '../tools/command.ts'
import { mock } from './command.ts'

await runProgram(() => mock)
