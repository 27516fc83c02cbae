import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import { expect } from 'vitest'
import { createStoreModel, type StoreModel } from '../../../src/modules/stl-library/upload/store-model.ts'
import { createPathSigner } from '../../../src/platform/http/signed-path.ts'
import type { TestApp } from '../build-test-app.ts'
import { upload } from './model-upload.ts'

type Headers = Record<string, string>

/** Short limits for downloads, so that tests need not wait for them. */
export const QUICK = { lookupMs: 20, answerMs: 300, windowMs: 1000, windowBytes: 1000 }

export const uploadByUrl = (
  app: TestApp,
  headers: Headers,
  url: string,
  fields: Headers = {},
  more: Headers = {},
) => upload(app, headers, null, { upload_method: 'url', url, ...fields }, more)

export const getImport = async (app: TestApp, headers: Headers, id: string): Promise<ModelImport> =>
  (await app.http.inject({ url: `/api/stl-imports/${id}`, headers })).json<ModelImport>()

/** Waits until an import is in one of the states, and returns it. */
export async function importIn(
  app: TestApp,
  headers: Headers,
  id: string,
  ...states: ModelImport['status'][]
): Promise<ModelImport> {
  let found: ModelImport | null = null
  await expect
    .poll(async () => states.includes((found = await getImport(app, headers, id)).status), {
      timeout: 100_000,
      interval: 20,
    })
    .toBe(true)
  if (!found) throw new Error('no import')
  return found
}

/**
 * Returns what the server stores: the number of files, including unfinished ones, and the numbers of model versions and
 * of imports in the database.
 */
export async function keptBy(app: TestApp): Promise<{ files: number; models: number; imports: number }> {
  const entries = await readdir(join(app.dataDir, 'objects'), { recursive: true, withFileTypes: true })
  const [rows] = await app.database.sql<[{ models: number; imports: number }]>`
    select (select count(*)::int from stl_versions) as models, (select count(*)::int from stl_imports) as imports`
  return { files: entries.filter((entry) => entry.isFile()).length, ...rows }
}

/** Returns a function that adds a model without measuring it or suggesting texts for it. */
export const storeModelOf = ({ database, storage, clock }: TestApp): StoreModel =>
  createStoreModel({
    database,
    storage,
    signer: createPathSigner({ key: Buffer.alloc(32), clock }),
    enqueueAnalysis: async () => undefined,
    wakeAnalysis: () => undefined,
    suggest: async () => undefined,
  })
