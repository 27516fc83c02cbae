import type { Spool } from '@pegasus/contracts/filament/spools'
import { type SpoolWithEntry, undoSpoolEntry } from '@pegasus/contracts/filament/ledger'
import { useMutation } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import type { FormText, ReadResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { formatGrams } from '@/lib/format/format.ts'
import { useSpoolRefresh } from '../filament.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

const describeEntry = ({ label_code, entry }: SpoolWithEntry): string =>
  `${label_code}: ${t('{before} → {after}', { before: formatGrams(entry.before_grams), after: formatGrams(entry.after_grams) })}`

/** Undoes a ledger entry and announces the remaining weight. */
export function useUndoEntry() {
  const refresh = useSpoolRefresh()
  return useMutation({
    mutationFn: (id: string) => callApi(undoSpoolEntry, { params: { id } }),
    onSuccess: ({ entry, ...spool }) => {
      toast({ title: t('Undone. {entry}', { entry: describeEntry({ ...spool, entry }) }) })
      refresh(spool)
    },
    onError: (error) => {
      toastError(error)
      refresh()
    },
  })
}

interface EntryFormOptions<Field extends string, Body> {
  start: FormText<Field>
  read: (form: FormText<Field>) => ReadResult<Body, Field>
  send: (body: Body, headers: Record<string, string>) => Promise<SpoolWithEntry>
  onClose: () => void
}

/** The state of a dialog that books a ledger entry. A retry books it only once; the toast offers Undo. */
export function useEntryForm<Field extends string, Body>({
  start,
  read,
  send,
  onClose,
}: EntryFormOptions<Field, Body>) {
  const refresh = useSpoolRefresh()
  const undo = useUndoEntry()
  return useNewForm({
    start,
    read,
    create: async (body, headers) => {
      const booked = await send(body, headers)
      const { entry, ...spool } = booked satisfies Spool
      refresh(spool)
      toast({
        title: describeEntry(booked),
        ...(entry.can_undo && { action: { label: t('Undo'), onSelect: () => undo.mutate(entry.id) } }),
      })
      onClose()
    },
  })
}
