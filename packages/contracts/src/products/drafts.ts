import * as z from 'zod/mini'
import { nullable, timestamp, wholeNumber } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'

const { get, post, put, declareTrash } = declareEndpoints('products', { notFound: 'DRAFT_NOT_FOUND' })

/**
 * Unfinished products. The server keeps them in addition to the browser's copy, so that people can continue
 * on another computer.
 */

/** Number of milliseconds after the last change until the wizard saves the draft. */
export const DRAFT_SAVE_DELAY_MS = 1000
export const WIZARD_STEPS = 4
export const MAX_DRAFTS_PER_ACCOUNT = 200
const MAX_CONTENT_LENGTH = 200_000

const typed = z.optional(z.string())
const list = z.optional(z.array(z.string()))

/**
 * The wizard's fields as typed, whether valid or not. Tags are comma-separated, and bulk tiers are JSON text.
 */
export const draftContent = z
  .object({
    name: typed,
    slug: typed,
    /** Whether a person typed the slug. If not, it follows the name. */
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
    inventory_item_id: z.optional(nullable.id),
    stl_file_ids: z.optional(z.array(z.uuid())),
  })
  .check(
    z.refine((content) => {
      const json = JSON.stringify(content)
      return json.length <= MAX_CONTENT_LENGTH && !/[\0\p{Cs}]|\\u0000|\\ud[89a-f]/u.test(json)
    }, 'This draft is too long or contains an invalid character'),
  )
export type DraftContent = z.output<typeof draftContent>

/** A draft. Its ETag is the revision in quotes. `title` is the name, or a substitute for an empty name. */
export const draft = z.object({
  id: z.uuid(),
  title: z.string(),
  content: draftContent,
  step: z.number(),
  /** Whether everyone with the role staff or a higher one can see and edit it. */
  is_shared: z.boolean(),
  owner: z.object({ id: z.uuid(), name: z.string() }),
  is_mine: z.boolean(),
  /**
   * The product that was created from the draft, if its publication failed. A successful publication deletes the draft.
   */
  product_id: nullable.id,
  revision: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
})
export type Draft = z.output<typeof draft>

const step = wholeNumber('step', 1, WIZARD_STEPS)
const isShared = z.boolean('is_shared must be true or false')

export const listDrafts = get('/api/drafts', 'staff', {
  summary: "The caller's drafts and the shared drafts, last changed first",
  returns: z.array(draft),
})

export const getDraft = get('/api/drafts/:id', 'staff', {
  summary: 'One draft, with its ETag',
  returns: draft,
})

export const createDraft = post('/api/drafts', 'staff', {
  summary: 'Create a draft',
  body: z.object({
    content: draftContent,
    step: z._default(step, 1),
    is_shared: z._default(isShared, false),
  }),
  creates: draft,
  errors: ['MALFORMED_REQUEST', 'TOO_MANY_DRAFTS', 'IDEMPOTENCY_KEY_REUSED'],
})

export const updateDraft = put('/api/drafts/:id', 'staff', {
  summary: 'Save a draft',
  body: z.object({
    /** Replaces the whole content, so that cleared fields stay cleared. */
    content: z.optional(draftContent),
    step: z.optional(step),
    /** Only the owner may change this field. */
    is_shared: z.optional(isShared),
  }),
  returns: draft,
  errors: ['PRECONDITION_FAILED', 'PRECONDITION_REQUIRED', 'MALFORMED_REQUEST'],
})

export const { remove: deleteDraft, restore: restoreDraft } = declareTrash('/api/drafts', 'staff', {
  name: 'a draft',
  returns: draft,
})
