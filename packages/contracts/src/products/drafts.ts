import * as z from 'zod/mini'
import { timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'

const { get, post, put, del } = declareEndpoints('products')

/** Products in the making, kept on the server beside the browser's own copy, so that another computer goes on with them. */

/** How long after the last change the wizard saves. */
export const DRAFT_SAVE_DELAY_MS = 1000
export const WIZARD_STEPS = 4
export const MAX_DRAFTS_PER_ACCOUNT = 200
const MAX_CONTENT_LENGTH = 200_000

const typed = z.optional(z.string())
const list = z.optional(z.array(z.string()))

/** The wizard's fields as typed, valid or not. Tags have commas between, bulk tiers are JSON text. */
export const draftContent = z
  .object({
    name: typed,
    slug: typed,
    /** Whether the slug was typed; otherwise it follows the name. */
    isSlugCustom: z.optional(z.boolean()),
    category: typed,
    price: typed,
    stock: typed,
    description: typed,
    tags: typed,
    images: list,
    videos: list,
    posterUrl: typed,
    uploadedFiles: z.optional(
      z.array(z.object({ fileName: z.string(), publicUrl: z.string(), path: z.string() })),
    ),
    bulkTiers: typed,
    license: typed,
    designer: typed,
    designerUrl: typed,
    inventory_item_id: z.optional(z.nullable(z.uuid())),
    stl_file_ids: z.optional(z.array(z.uuid())),
  })
  .check(
    z.refine((content) => {
      const json = JSON.stringify(content)
      return json.length <= MAX_CONTENT_LENGTH && !/[\0\p{Cs}]|\\u0000|\\ud[89a-f]/u.test(json)
    }, 'This draft is too long, or holds a character that no text has'),
  )
export type DraftContent = z.output<typeof draftContent>

/** Its ETag is its revision in quotes. `title` is its name, or what it is called without one. */
export const draft = z.object({
  id: z.uuid(),
  title: z.string(),
  content: draftContent,
  step: z.number(),
  /** Whether everybody from staff up sees it and may go on with it. */
  is_shared: z.boolean(),
  /** Whose it is. */
  owner: z.object({ id: z.uuid(), name: z.string() }),
  is_mine: z.boolean(),
  /** The product that came of it, where publishing has failed so far. */
  product_id: z.nullable(z.uuid()),
  revision: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
})
export type Draft = z.output<typeof draft>

const step = z
  .number('step is 1 to 4')
  .check(z.int('step is 1 to 4'), z.gte(1, 'step is 1 to 4'), z.lte(WIZARD_STEPS, 'step is 1 to 4'))
const isShared = z.boolean('is_shared must be true or false')

export const createDraftBody = z.object({
  content: draftContent,
  step: z._default(step, 1),
  is_shared: z._default(isShared, false),
})

export const updateDraftBody = z.object({
  /** Replaces the whole content: what was cleared must not come back. */
  content: z.optional(draftContent),
  step: z.optional(step),
  /** Its owner's to say. */
  is_shared: z.optional(isShared),
})

export const listDrafts = get('/api/drafts', 'staff', {
  summary: "One's own drafts and the shared ones, the last changed first",
  returns: z.array(draft),
})

export const getDraft = get('/api/drafts/:id', 'staff', {
  summary: 'One draft, with its ETag',
  returns: draft,
  errors: ['DRAFT_NOT_FOUND'],
})

export const createDraft = post('/api/drafts', 'staff', {
  summary: 'Keep a draft',
  body: createDraftBody,
  creates: draft,
  errors: ['MALFORMED_REQUEST', 'TOO_MANY_DRAFTS', 'IDEMPOTENCY_KEY_REUSED'],
})

export const updateDraft = put('/api/drafts/:id', 'staff', {
  summary: 'Save a draft',
  body: updateDraftBody,
  returns: draft,
  errors: ['DRAFT_NOT_FOUND', 'PRECONDITION_FAILED', 'PRECONDITION_REQUIRED', 'MALFORMED_REQUEST'],
})

export const deleteDraft = del('/api/drafts/:id', 'staff', {
  summary: "Put a draft of one's own into the bin, which keeps it for 30 days; admins, any shared one",
  current: draft,
  errors: ['DRAFT_NOT_FOUND', 'PRECONDITION_FAILED'],
})

export const restoreDraft = post('/api/drafts/:id/restore', 'staff', {
  summary: 'Take a draft out of the bin',
  returns: draft,
  errors: ['DRAFT_NOT_FOUND'],
})
