import { randomUUID } from 'node:crypto'
import type { Endpoint } from '@pegasus/contracts/endpoint'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { multipart } from '../../support/library/model-upload.ts'
import type { ShopIds } from '../cost/fill-shop.ts'
import { pathOf } from '../cost/requests.ts'
import { type FuzzPlace, type FuzzSchema, pick, randomValue } from './random-values.ts'

/** An operation of the OpenAPI document. */
export interface Operation {
  parameters?: readonly { name: string; in: string; required?: boolean; schema: FuzzSchema }[]
  requestBody?: { content: Readonly<Record<string, { schema: FuzzSchema }>> }
  responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema?: FuzzSchema }>> }>>
}

interface Fuzz {
  ids: ShopIds
  random: () => number
  invalidShare: number
}

const CUBE = writeBinaryStl(createCube(20))

function queryOf(operation: Operation, place: FuzzPlace): string {
  const values = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query' && (parameter.required || place.random() < 0.3))
    .map(({ name, schema }): [string, string] => {
      const value = randomValue(schema, { ...place, name })
      return [name, typeof value === 'string' ? value : JSON.stringify(value)]
    })
  return values.length === 0 ? '' : `?${new URLSearchParams(values)}`
}

/** Returns a request with random parameters and a random body, both generated from the schemas of the operation. */
export async function randomRequest(endpoint: Endpoint, operation: Operation, fuzz: Fuzz) {
  const { ids, random } = fuzz
  const place: FuzzPlace = { name: 'body', path: endpoint.path, ...fuzz }
  const isStray = random() < fuzz.invalidShare
  const stray = pick([randomUUID(), '0', '%00', '%F0%9F%A6%84', '-1'], random)
  const path = isStray ? endpoint.path.replace(/:\w+|\*/g, stray) : pathOf(endpoint.path, ids)
  const url = path + queryOf(operation, place)
  const headers: Record<string, string> = { 'if-match': pick(['*', '*', '"1"', 'x'], random) }
  if (random() < 0.1) headers['idempotency-key'] = pick(['a', randomUUID()], random)
  const { content } = operation.requestBody ?? {}
  if (endpoint.fileField) {
    const values = randomValue(content?.['multipart/form-data']?.schema ?? {}, place)
    const fields = Object.entries(typeof values === 'object' && values !== null ? values : {})
      .filter(([name]) => name !== endpoint.fileField)
      .map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ])
    const bytes = random() < 0.5 ? CUBE : new TextEncoder().encode('name,sku\nHook,F-1\n')
    const form = await multipart(Object.fromEntries(fields), [
      { name: pick(['a.stl', 'a.csv', 'a.gcode'], random), bytes },
    ])
    return { url, payload: form.payload, headers: { ...headers, ...form.headers } }
  }
  const schema = content?.['application/json']?.schema
  if (!schema && !endpoint.isRawBody) return { url, headers }
  return {
    url,
    payload: JSON.stringify(schema ? randomValue(schema, place) : { any: 'bytes' }),
    headers: { ...headers, 'content-type': 'application/json' },
  }
}
