import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GoTrueClient } from '@supabase/auth-js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fetchForAuth } from './auth-fetch.ts'

let answer: RequestListener
let client: GoTrueClient
let stop: () => Promise<void>

beforeEach(async () => {
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  client = new GoTrueClient({ url, fetch: fetchForAuth, persistSession: false, autoRefreshToken: false })
  stop = () =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
})

afterEach(() => stop())

async function refusalOf(status: number, body: string, type = 'application/json') {
  answer = (_request, response) => response.writeHead(status, { 'content-type': type }).end(body)
  const { error } = await client.signInWithPassword({ email: 'ada@example.com', password: 'x' })
  return error
}

describe('error messages of the auth client', () => {
  it.each([
    [
      400,
      '{"error_code":"invalid_credentials","msg":"Invalid login credentials"}',
      'Invalid login credentials',
    ],
    [503, '{"msg":"The service is busy."}', 'The service is busy.'],
    [429, '{"detail":"Too many requests."}', 'Too many requests.'],
    [400, '{"error":"invalid_grant","error_description":"No such grant."}', 'No such grant.'],
  ])(
    "the auth client's error message is the message in a response with status %d and body %s",
    async (status, body, sentence) => {
      expect((await refusalOf(status, body))?.message).toBe(sentence)
    },
  )

  it.each([
    [404, '<html><h1>Not Found</h1></html>', 'text/html'],
    [502, '<html><h1>Bad Gateway</h1></html>', 'text/html'],
    [500, '', 'text/plain'],
    [400, '{}', 'application/json'],
    [400, '[1]', 'application/json'],
    [400, '"x"', 'application/json'],
    [400, '{"msg":{"a":1}}', 'application/json'],
  ])(
    "the auth client's error message is empty for a response with status %d, body %j and type %s",
    async (status, body, type) => {
      expect(await refusalOf(status, body, type)).toMatchObject({ message: '', status })
    },
  )

  it("the auth client's error keeps the machine-readable fields of a refusal", async () => {
    const error = await refusalOf(400, '{"error_code":"email_not_confirmed","msg":"Email not confirmed"}')
    expect(error?.code).toBe('email_not_confirmed')
    const weak = await refusalOf(
      422,
      '{"error_code":"weak_password","msg":"x","weak_password":{"reasons":["length"]}}',
    )
    expect(weak).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['length'] })
  })
})
