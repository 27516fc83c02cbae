import {
  createDraft,
  DRAFT_SAVE_DELAY_MS,
  type Draft,
  getDraft,
  updateDraft,
} from '@pegasus/contracts/products/drafts'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { newIdempotencyKey } from '@/lib/http/uploads/upload.ts'
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
import { t } from '@/lib/i18n/messages.ts'

/** Where the draft is saved, as shown to people. */
export type SaveState =
  | { state: 'blank' }
  | { state: 'saving' }
  | { state: 'saved'; atMs: number }
  /** The draft is saved only in this browser, because the server could not be reached. `reason` says why. */
  | { state: 'here-only'; atMs: number; reason: string }
  /** Somebody else has saved changes of the shared draft in the meantime. */
  | { state: 'conflict'; theirs: Draft }
  /** The draft was published or deleted elsewhere. */
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
 * Saves a draft in the browser a second after each change, and then on the server, where other computers find it. Only
 * one call runs at a time. Changes during a call are sent with the next one.
 */
export function createDraftKeeper(accountId: string) {
  const restored = readLocalDraft(accountId)
  let local: LocalDraft = restored ?? newDraft()
  let state: DraftState = { form: local.form, step: local.step, keeping: saveStateOf(restored) }
  let isDirty = false
  /**
   * The content that this browser saved last on the server. If the server still has this content, nobody else
   * has changed the draft.
   */
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
    // A response that arrives late must not restore a published draft.
    if (isClosed) return false
    local = { ...local, ...part }
    return writeLocalDraft(accountId, local)
  }

  /** Saves in the browser immediately. */
  const saveHere = (): void => {
    clearTimeout(saveTimer)
    if (!isDirty || isClosed) return
    isDirty = false
    const isKept = setLocal({ form: state.form, step: state.step, savedAt: Date.now(), isOnServer: false })
    if (!isKept) setState({ keeping: { state: 'saving' } })
  }

  const sendOnce = async (): Promise<void> => {
    const { form, step, makingId, serverId } = local
    /**
     * Returns whether the draft that was sent is still open. Another draft may have been started in the
     * meantime.
     */
    const isStillThis = () => local.makingId === makingId && local.serverId === serverId
    if (serverId === null) {
      // A retry sends the same request, because the first one may have arrived.
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
      headers: ifMatch(local.revision),
    })
    if (!isStillThis()) return
    base = form
    setLocal({ revision: saved.revision, isOnServer: local.form === form && local.step === step })
  }

  const reportFailure = async (error: unknown): Promise<void> => {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 412 && local.serverId !== null) {
      const theirs = await callApi(getDraft, { params: { id: local.serverId } })
      if (theirs.revision === local.revision) return
      // The server's content comes from our own request, whose response was lost, or from an equal change by
      // somebody else.
      const content = formOfContent(theirs.content)
      const isOurs = isSameForm(content, local.form) || (base !== null && isSameForm(content, base))
      if (isOurs) setLocal({ revision: theirs.revision })
      else setState({ keeping: { state: 'conflict', theirs } })
      return
    }
    if (error.status === 404) return setState({ keeping: { state: 'gone' } })
    // The server has refused to create the draft and has stored nothing, so the next request may have other
    // content.
    if (error.status !== 0 && error.status < 500) setLocal({ creating: null })
    const reason = errorMessage(error, t('The draft could not be sent to the server.'))
    setState({ keeping: { state: 'here-only', atMs: local.savedAt, reason } })
    retryTimer = setTimeout(() => void send(), RETRY_MS)
  }

  const isStopped = (): boolean => state.keeping.state === 'conflict' || state.keeping.state === 'gone'

  /** Saves on the server. Resolves when the draft is saved, or when saving has failed with a reason. */
  const send = (): Promise<void> => {
    clearTimeout(retryTimer)
    sending ??= (async () => {
      while (!local.isOnServer && !isClosed && !isStopped()) {
        if (local.serverId === null && isEmptyForm(local.form)) break
        setState({ keeping: { state: 'saving' } })
        try {
          await sendOnce()
        } catch (error) {
          await reportFailure(error).catch((cause: unknown) =>
            setState({
              keeping: {
                state: 'here-only',
                atMs: local.savedAt,
                reason: errorMessage(cause, t('That did not work.')),
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

  /** Creates a new draft from one that no longer exists on the server. */
  const saveAsNew = (): void => {
    setLocal({ serverId: null, revision: 0, creating: null, isOnServer: false })
    setState({ keeping: { state: 'saving' } })
    void send()
  }

  const openDraft = (draft: Draft): void =>
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
    /** Returns the id of the draft on the server; null if it has none. */
    serverId: () => local.serverId,
    /** Returns the fixed id that the product will have. */
    makingId: () => local.makingId,
    /** Returns an earlier publication that may still be running. */
    publishing: () => local.publishing,
    setPublishing: (publishing: LocalDraft['publishing']) => setLocal({ publishing }),

    change(part: Partial<Pick<DraftState, 'form' | 'step'>>) {
      setState(part)
      isDirty = true
      clearTimeout(saveTimer)
      saveTimer = setTimeout(() => void save(), DRAFT_SAVE_DELAY_MS)
    },
    save,
    /** Like `save`, but returns whether everything is on the server. */
    async settle(): Promise<boolean> {
      await save()
      return local.isOnServer || isEmptyForm(local.form)
    },
    open: openDraft,
    /** Starts another product. The current draft stays stored as it is. */
    begin(form: ProductForm) {
      replace({ form })
      if (isEmptyForm(form)) return
      isDirty = true
      void save()
    },
    /** Checks whether another computer has changed the draft since it was last open here. */
    async catchUp(): Promise<void> {
      if (local.serverId === null || local.publishing) return
      try {
        const theirs = await callApi(getDraft, { params: { id: local.serverId } })
        if (theirs.revision === local.revision || isDirty) return
        if (local.isOnServer || isSameForm(formOfContent(theirs.content), local.form)) openDraft(theirs)
        else setState({ keeping: { state: 'conflict', theirs } })
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) setState({ keeping: { state: 'gone' } })
      }
    },
    takeTheirs(theirs: Draft) {
      openDraft(theirs)
    },
    keepMine(theirs: Draft) {
      setLocal({ revision: theirs.revision, isOnServer: false })
      setState({ keeping: { state: 'saving' } })
      void send()
    },
    saveAsNew,
    /** Starts another product from this draft. The previous product stays as it is. */
    makeAnother() {
      setLocal({ makingId: newIdempotencyKey(), publishing: null })
      saveAsNew()
    },
    /** Clears the fields. Called when the open draft was moved to the trash in the drafts dialog. */
    forget: () => replace({}),
    /** Ends the draft after its publication. From then on, nothing is saved. */
    finish() {
      isClosed = true
      clearTimeout(saveTimer)
      clearTimeout(retryTimer)
      removeLocalDraft(accountId)
    },
    /** Called when the page is left. Also saves the changes of the last second. */
    close() {
      saveHere()
      clearTimeout(saveTimer)
      clearTimeout(retryTimer)
    },
  }
}

export type DraftKeeper = ReturnType<typeof createDraftKeeper>

function saveStateOf(draft: LocalDraft | null): SaveState {
  if (!draft) return { state: 'blank' }
  if (draft.isOnServer) return { state: 'saved', atMs: draft.savedAt }
  return {
    state: 'here-only',
    atMs: draft.savedAt,
    reason: t('The draft has not been sent to the server yet.'),
  }
}
