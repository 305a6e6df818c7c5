import { createHandlers } from '@plugmark/mock-api'
import { getResponse } from 'msw'
import { describeApi } from './api-testing.ts'

describeApi((catalogue) => {
  const handlers = createHandlers({ catalogue })
  return (request) => getResponse(handlers, request)
})
