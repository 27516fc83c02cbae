import {
  createDraft,
  DRAFT_SAVE_DELAY_MS,
  type Draft,
  getDraft,
  updateDraft,
} from '@pegasus/contracts/products/drafts'
import { callApi } from '@/lib/http/api.ts'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { newIdempotencyKey } from '@/lib/http/upload.ts'
import {
  EMPTY_FORM,
  formOfContent,
  isEmptyForm,
  isSameForm,
  type ProductForm,
  type Step,
  toStep,
} from '../product-form/product-form.ts'
import { type LocalDraft, readLocalDraft, removeLocalDraft, writeLocalDraft } from './local-draft.ts'

/** How the draft is kept, as people are told. */
export type SaveState =
  | { state: 'blank' }
  | { state: 'saving' }
  | { state: 'saved'; atMs: number }
  /** Only in this browser; the server could not be told, for the reason. */
  | { state: 'here-only'; atMs: number; reason: string }
  /** Somebody else has saved the shared draft in the meantime. */
  | { state: 'conflict'; theirs: Draft }
  /** It was published or deleted elsewhere. */
  | { state: 'gone' }

export interface DraftState {
  form: ProductForm
  step: Step
  keeping: SaveState
}

const RETRY_MS = 10_000

const newDraft = (): LocalDraft => ({
  form: EMPTY_FORM,
  step: 1,
  savedAt: 0,
  serverId: null,
  revision: 0,
  makingId: newIdempotencyKey(),
  isOnServer: false,
  creating: null,
  publishing: null,
})

/**
 * Keeps a product in the making: in the browser a second after each change, and from there on the server, where other
 * computers find it. One call at a time is under way; what changes meanwhile goes with the next.
 */
export function createDraftKeeper(accountId: string) {
  const restored = readLocalDraft(accountId)
  let local: LocalDraft = restored ?? newDraft()
  let state: DraftState = { form: local.form, step: local.step, keeping: keepingOf(restored) }
  let isDirty = false
  /** What the server had of us last: if it still has that, somebody else has changed nothing of the fields. */
  let base: ProductForm | null = local.isOnServer ? local.form : null
  let isClosed = false
  let saveTimer: ReturnType<typeof setTimeout> | undefined
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let sending: Promise<void> | null = null
  const listeners = new Set<() => void>()

  const setState = (part: Partial<DraftState>): void => {
    state = { ...state, ...part }
    for (const listener of listeners) listener()
  }
  const setLocal = (part: Partial<LocalDraft>): boolean => {
    // An answer that comes after the end must not bring back what is published.
    if (isClosed) return false
    local = { ...local, ...part }
    return writeLocalDraft(accountId, local)
  }

  /** Into the browser, now. */
  const saveHere = (): void => {
    clearTimeout(saveTimer)
    if (!isDirty || isClosed) return
    isDirty = false
    const isKept = setLocal({ form: state.form, step: state.step, savedAt: Date.now(), isOnServer: false })
    if (!isKept) setState({ keeping: { state: 'saving' } })
  }

  const sendOnce = async (): Promise<void> => {
    const { form, step, makingId, serverId } = local
    /** Whether it is still the draft that was sent: another may have been begun while the answer was on its way. */
    const isStillThis = () => local.makingId === makingId && local.serverId === serverId
    if (serverId === null) {
      // Sent again as it was: the first try may have arrived.
      const creating = local.creating ?? { key: newIdempotencyKey(), body: { content: form, step } }
      setLocal({ creating })
      const made = await callApi(createDraft, {
        body: creating.body as { content: ProductForm; step: number },
        headers: { 'Idempotency-Key': creating.key },
      })
      if (!isStillThis()) return
      const isAll = isSameForm(formOfContent(made.content), local.form) && made.step === local.step
      base = formOfContent(made.content)
      setLocal({ serverId: made.id, revision: made.revision, creating: null, isOnServer: isAll })
      return
    }
    const saved = await callApi(updateDraft, {
      params: { id: serverId },
      body: { content: form, step },
      headers: { 'If-Match': `"${local.revision}"` },
    })
    if (!isStillThis()) return
    base = form
    setLocal({ revision: saved.revision, isOnServer: local.form === form && local.step === step })
  }

  const tellFailure = async (error: unknown): Promise<void> => {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 412 && local.serverId !== null) {
      const theirs = await callApi(getDraft, { params: { id: local.serverId } })
      if (theirs.revision === local.revision) return
      // Our own save whose answer was lost, or somebody's who typed the same.
      const content = formOfContent(theirs.content)
      const isOurs = isSameForm(content, local.form) || (base !== null && isSameForm(content, base))
      if (isOurs) setLocal({ revision: theirs.revision })
      else setState({ keeping: { state: 'conflict', theirs } })
      return
    }
    if (error.status === 404) return setState({ keeping: { state: 'gone' } })
    // A refused creation was not stored, so the next may say something else.
    if (error.status !== 0 && error.status < 500) setLocal({ creating: null })
    const reason = errorMessage(error, 'The server could not be told.')
    setState({ keeping: { state: 'here-only', atMs: local.savedAt, reason } })
    retryTimer = setTimeout(() => void send(), RETRY_MS)
  }

  const isStopped = (): boolean => state.keeping.state === 'conflict' || state.keeping.state === 'gone'

  /** Brings the server what the browser has; settles when it has it, or has said why not. */
  const send = (): Promise<void> => {
    clearTimeout(retryTimer)
    sending ??= (async () => {
      while (!local.isOnServer && !isClosed && !isStopped()) {
        if (local.serverId === null && isEmptyForm(local.form)) break
        setState({ keeping: { state: 'saving' } })
        try {
          await sendOnce()
        } catch (error) {
          await tellFailure(error).catch((cause: unknown) =>
            setState({
              keeping: {
                state: 'here-only',
                atMs: local.savedAt,
                reason: errorMessage(cause, 'That did not work.'),
              },
            }),
          )
          if (state.keeping.state !== 'saving') break
        }
      }
      if (local.isOnServer && !isClosed) setState({ keeping: { state: 'saved', atMs: local.savedAt } })
    })().finally(() => {
      sending = null
    })
    return sending
  }

  const save = (): Promise<void> => {
    saveHere()
    return send()
  }

  const replace = (next: Partial<LocalDraft>): void => {
    clearTimeout(saveTimer)
    isDirty = false
    const isBlank = next.form === undefined || isEmptyForm(next.form)
    local = { ...newDraft(), ...next, savedAt: Date.now() }
    base = local.isOnServer ? local.form : null
    if (isBlank) removeLocalDraft(accountId)
    else writeLocalDraft(accountId, local)
    setState({
      form: local.form,
      step: local.step,
      keeping: isBlank ? { state: 'blank' } : { state: 'saved', atMs: local.savedAt },
    })
  }

  /** Of what is no longer on the server, a draft of its own. */
  const keepAnew = (): void => {
    setLocal({ serverId: null, revision: 0, creating: null, isOnServer: false })
    setState({ keeping: { state: 'saving' } })
    void send()
  }

  const open = (draft: Draft): void =>
    replace({
      form: formOfContent(draft.content),
      step: toStep(draft.step),
      serverId: draft.id,
      revision: draft.revision,
      isOnServer: true,
      ...(draft.id === local.serverId && { makingId: local.makingId }),
    })

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    getState: () => state,
    /** The draft on the server that this is, where it is one. */
    serverId: () => local.serverId,
    /** The product that this is to become, by a name that never changes on the way. */
    makingId: () => local.makingId,
    /** What of an earlier publication may still be under way. */
    publishing: () => local.publishing,
    setPublishing: (publishing: LocalDraft['publishing']) => setLocal({ publishing }),

    change(part: Partial<Pick<DraftState, 'form' | 'step'>>) {
      setState(part)
      isDirty = true
      clearTimeout(saveTimer)
      saveTimer = setTimeout(() => void save(), DRAFT_SAVE_DELAY_MS)
    },
    save,
    /** As `save`, and whether nothing is left that only this browser has. */
    async settle(): Promise<boolean> {
      await save()
      return local.isOnServer || isEmptyForm(local.form)
    },
    open,
    /** Begins another product; this one stays where it was saved. */
    begin(form: ProductForm) {
      replace({ form })
      if (isEmptyForm(form)) return
      isDirty = true
      void save()
    },
    /** Asks whether another computer went further with it since it was last open here. */
    async catchUp(): Promise<void> {
      if (local.serverId === null || local.publishing) return
      try {
        const theirs = await callApi(getDraft, { params: { id: local.serverId } })
        if (theirs.revision === local.revision || isDirty) return
        if (local.isOnServer || isSameForm(formOfContent(theirs.content), local.form)) open(theirs)
        else setState({ keeping: { state: 'conflict', theirs } })
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) setState({ keeping: { state: 'gone' } })
      }
    },
    takeTheirs(theirs: Draft) {
      open(theirs)
    },
    keepMine(theirs: Draft) {
      setLocal({ revision: theirs.revision, isOnServer: false })
      setState({ keeping: { state: 'saving' } })
      void send()
    },
    keepAnew,
    /** From here on it is another product, and the one that it has become so far is left as it is. */
    makeAnother() {
      setLocal({ makingId: newIdempotencyKey(), publishing: null })
      keepAnew()
    },
    /** It was put into the bin from here: nothing of it stays in the fields. */
    forget: () => replace({}),
    /** It is published: nothing of it is kept any more, and nothing is saved from here on. */
    finish() {
      isClosed = true
      clearTimeout(saveTimer)
      clearTimeout(retryTimer)
      removeLocalDraft(accountId)
    },
    /** The page is left: what was typed in the last second is kept as well. */
    close() {
      saveHere()
      clearTimeout(saveTimer)
      clearTimeout(retryTimer)
    },
  }
}

export type DraftKeeper = ReturnType<typeof createDraftKeeper>

function keepingOf(draft: LocalDraft | null): SaveState {
  if (!draft) return { state: 'blank' }
  if (draft.isOnServer) return { state: 'saved', atMs: draft.savedAt }
  return { state: 'here-only', atMs: draft.savedAt, reason: 'The server has not been told yet.' }
}
