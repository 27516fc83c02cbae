import { insertModel, type NewModel } from '../../../src/modules/stl-library/upload/upload.queries.ts'
import { v7 as uuidv7 } from 'uuid'
import type { TestApp } from '../build-test-app.ts'

type WaitingModel = Pick<NewModel, 'sha256' | 'sizeBytes'> & Partial<NewModel>

/** Adds a model that waits for its analysis. Its bytes are stored under their hash, and it has no task. */
export async function insertWaitingModel(
  app: TestApp,
  fields: WaitingModel,
): Promise<{ id: string; versionId: string }> {
  const [account] = await app.database.sql<[{ id: string }]>`select id from accounts limit 1`
  const model: NewModel = {
    id: uuidv7(),
    versionId: uuidv7(),
    title: 'a',
    description: null,
    tags: [],
    licenseType: 'CC0',
    attributionUrl: null,
    printMaterial: null,
    printNotes: null,
    sourceUrl: null,
    fetchedAt: null,
    suggestedFields: [],
    fieldsToSuggest: [],
    duplicateOf: null,
    fileName: 'a.stl',
    objectKey: `models/${fields.sha256}`,
    clean: null,
    format: 'stl',
    encoding: 'binary',
    metadata: null,
    triangles: 12,
    warnings: [],
    uploadedBy: account.id,
    now: app.clock.now(),
    ...fields,
  }
  await app.database.transaction((tx) => insertModel(tx, model))
  return { id: model.id, versionId: model.versionId }
}
