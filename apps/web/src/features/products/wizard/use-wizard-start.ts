import { type DraftContent, getDraft } from '@pegasus/contracts/products/drafts'
import { getProductStart } from '@pegasus/contracts/products/setup'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { withParams } from '@/lib/browser/address-state.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { takePictures } from '../product-form/media-fields.tsx'
import type { Part } from '../product-form/part-picker.tsx'
import { EMPTY_FORM, formOfStart, isEmptyForm, type ProductForm } from '../product-form/product-form.ts'
import { draftsQuery } from '../products.queries.ts'
import type { DraftKeeper } from './draft-keeper.ts'
import { t } from '@/lib/i18n/messages.ts'

const KEPT_ELSEWHERE = t('The previous draft is kept under Drafts.')

/** Returns whether a draft was started from this model or item. */
const isFromPart = (content: DraftContent, { kind, id }: Part): boolean =>
  kind === 'model' ? content.stl_file_ids?.includes(id) === true : content.inventory_item_id === id

/**
 * Starts a draft from a model, an item, another draft, or nothing. The previous content is saved first, and
 * stays if that fails. Calls `onOther` for each started draft, and `onFilled` when a selection has filled in
 * fields.
 */
export function useWizardStart(
  keeper: DraftKeeper,
  { onOther, onFilled }: { onOther: () => void; onFilled: (form: ProductForm) => void },
) {
  const client = useQueryClient()
  const [isStarting, setIsStarting] = useState(false)
  const [params, setParams] = useSearchParams()

  /** Makes sure that the current fields are saved. Returns whether they may be replaced. */
  const makeRoom = async (): Promise<boolean> => {
    if (await keeper.settle()) return true
    toast({ title: t('The server cannot store this draft at the moment, so you cannot start another one.') })
    return false
  }
  const carefully = async (work: () => Promise<void>): Promise<void> => {
    setIsStarting(true)
    try {
      if (!(await makeRoom())) return
      await work()
    } catch (error) {
      toast({ title: errorMessage(error, t('That did not work. Please try again.')) })
    } finally {
      setIsStarting(false)
    }
  }
  const addPictures = async (): Promise<void> => {
    try {
      const pictures = await takePictures(keeper.getState().form)
      keeper.change({ form: { ...keeper.getState().form, ...pictures } })
    } catch (error) {
      toast({
        title: t('{errorMessage} Add them later in step 2.', {
          errorMessage: errorMessage(error, t('The pictures could not be added.')),
        }),
      })
    }
  }
  const startFrom = ({ kind, id }: Part): Promise<void> =>
    carefully(async () => {
      const query = kind === 'model' ? { stl_file_id: id } : { inventory_item_id: id }
      const form = formOfStart(await callApi(getProductStart, { query }))
      const wasEmpty = isEmptyForm(keeper.getState().form)
      keeper.begin(form)
      if (wasEmpty) onFilled(form)
      else {
        onOther()
        toast({ title: KEPT_ELSEWHERE })
      }
      if (form.stl_file_ids.length > 0 && form.slug !== '') await addPictures()
    })
  const openDraft = (id: string): Promise<void> =>
    carefully(async () => {
      keeper.open(await callApi(getDraft, { params: { id } }))
      onOther()
    })
  /** Continues the earlier draft that was started from this part; if there is none, starts one. */
  const resumeOrStart = async (part: Part): Promise<void> => {
    // If the list of drafts cannot be loaded, start a new draft from the part.
    const drafts = await client.fetchQuery(draftsQuery).catch(() => [])
    const known = drafts.find(({ content }) => isFromPart(content, part))
    const isOpenHere = isFromPart(keeper.getState().form, part)
    if (!known && !isOpenHere) return startFrom(part)
    if (known && known.id !== keeper.serverId() && !isOpenHere) await openDraft(known.id)
    toast({
      title:
        part.kind === 'model'
          ? t('You are continuing the draft of this model.')
          : t('You are continuing the draft of this item.'),
      action: { label: t('Start over'), onSelect: () => void startFrom(part) },
    })
  }
  const startNewDraft = (): Promise<void> =>
    carefully(async () => {
      if (!isEmptyForm(keeper.getState().form)) toast({ title: KEPT_ELSEWHERE })
      keeper.begin(EMPTY_FORM)
      onOther()
    })

  // The URL's part starts a draft only once. After a reload, the existing draft continues.
  const arrive = useEffectEvent(() => {
    const [model, item, draft] = [params.get('model'), params.get('item'), params.get('draft')]
    if (model === null && item === null && draft === null) return
    setParams(withParams(params, { model: null, item: null, draft: null }), { replace: true })
    if (keeper.publishing()) return
    if (draft !== null) {
      if (draft !== keeper.serverId()) void openDraft(draft)
    } else if (model !== null) void resumeOrStart({ kind: 'model', id: model })
    else if (item !== null) void resumeOrStart({ kind: 'item', id: item })
  })
  const hasArrived = useRef(false)
  useEffect(() => {
    if (hasArrived.current) return
    hasArrived.current = true
    arrive()
  }, [])

  return { isStarting, startFrom, openDraft, startNewDraft }
}
