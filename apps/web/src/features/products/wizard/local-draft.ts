import { draftContent, WIZARD_STEPS } from '@pegasus/contracts/products/drafts'
import * as z from 'zod/mini'
import { newIdempotencyKey } from '@/lib/http/uploads/upload.ts'
import { formOfContent, type ProductForm, type Step, toStep } from '../product-form/product-form.ts'

/** A request whose response may have been lost, with its key. It is sent again unchanged. */
const sent = z.nullable(z.object({ key: z.string(), body: z.record(z.string(), z.unknown()) }))

const storedDraft = z.object({
  content: draftContent,
  step: z.number().check(z.gte(1), z.lte(WIZARD_STEPS)),
  savedAt: z.number(),
  /** Id of the draft on the server; null until it exists. */
  serverId: z.nullable(z.string()),
  revision: z._default(z.number(), 0),
  /** The fixed id of the product. It stays the same even if the slug or the draft changes. */
  makingId: z._default(z.string(), newIdempotencyKey),
  /** True if the server has this content. */
  isOnServer: z._default(z.boolean(), false),
  creating: z._default(sent, null),
  publishing: z._default(sent, null),
})

/** The browser's own copy of the draft. */
export interface LocalDraft extends Omit<z.output<typeof storedDraft>, 'content' | 'step'> {
  form: ProductForm
  step: Step
}

/** Each account has its own entry, so that people find only their own draft. */
const keyOf = (accountId: string): string => `pegasus-ops-product-draft-${accountId}`

/** Returns the draft; null if there is none, or if it cannot be read. */
export function readLocalDraft(accountId: string): LocalDraft | null {
  try {
    const parsed = storedDraft.safeParse(JSON.parse(localStorage.getItem(keyOf(accountId)) ?? 'null'))
    if (!parsed.success) return null
    const { content, step, ...rest } = parsed.data
    return { ...rest, form: formOfContent(content), step: toStep(step) }
  } catch {
    return null
  }
}

/** Returns whether the draft was saved. The browser's storage may be full or disabled. */
export function writeLocalDraft(accountId: string, { form, ...rest }: LocalDraft): boolean {
  try {
    localStorage.setItem(keyOf(accountId), JSON.stringify({ ...rest, content: form }))
    return true
  } catch {
    return false
  }
}

export const removeLocalDraft = (accountId: string): void => localStorage.removeItem(keyOf(accountId))
