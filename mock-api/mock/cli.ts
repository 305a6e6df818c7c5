import { runProgram } from '../directory/command.ts'
import { mock } from './command.ts'

await runProgram(() => mock)
