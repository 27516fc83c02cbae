import type { Spool } from '@pegasus/contracts/filament/spools'
import { type SpoolWithEntry, undoSpoolEntry } from '@pegasus/contracts/filament/ledger'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { errorsAtFields, type FieldErrors } from '@/lib/forms/form-merge.ts'
import { formatGrams } from '@/lib/format/format.ts'
import { useRetryKey } from '@/lib/http/use-retry-key.ts'
import { useSpoolRefresh } from '../filament.queries.ts'

const FAILED = 'That did not work. Please try again.'

const changeWords = ({ label_code, entry }: SpoolWithEntry): string =>
  `${label_code}: ${formatGrams(entry.before_grams)} → ${formatGrams(entry.after_grams)}`

/** Takes an entry back, and says what is left now. */
export function useUndoEntry() {
  const refresh = useSpoolRefresh()
  return useMutation({
    mutationFn: (id: string) => callApi(undoSpoolEntry, { params: { id } }),
    onSuccess: ({ entry, ...spool }) => {
      toast({ title: `Undone. ${changeWords({ ...spool, entry })}` })
      refresh(spool)
    },
    onError: (error) => {
      toast({ title: errorMessage(error, FAILED) })
      refresh()
    },
  })
}

interface Schema<Body> {
  safeParse: (
    input: unknown,
  ) =>
    | { success: true; data: Body }
    | { success: false; error: { issues: { path: readonly PropertyKey[]; message: string }[] } }
}

interface BookingOptions<Field extends string, Body> {
  fields: readonly Field[]
  schema: Schema<Body>
  send: (body: Body, headers: Record<string, string>) => Promise<SpoolWithEntry>
  onClose: () => void
}

/** A dialog's entry in a ledger: read, sent once however often it is tried, told with Undo. */
export function useBooking<Field extends string, Body>({
  fields,
  schema,
  send,
  onClose,
}: BookingOptions<Field, Body>) {
  const [errors, setErrors] = useState<FieldErrors<Field>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)
  const retryKey = useRetryKey()
  const refresh = useSpoolRefresh()
  const undo = useUndoEntry()
  const isField = (name: string): name is Field => fields.some((field) => field === name)

  const book = async (input: unknown) => {
    const parsed = schema.safeParse(input)
    setErrors(parsed.success ? {} : errorsAtFields(parsed.error.issues, isField))
    setFailure(null)
    if (!parsed.success) return
    setIsPending(true)
    try {
      const booked = await send(parsed.data, retryKey(parsed.data))
      const { entry, ...spool } = booked satisfies Spool
      refresh(spool)
      toast({
        title: changeWords(booked),
        ...(entry.can_undo && { action: { label: 'Undo', onSelect: () => undo.mutate(entry.id) } }),
      })
      onClose()
    } catch (error) {
      if (error instanceof ApiError) setErrors(errorsAtFields(error.errors, isField))
      setFailure(errorMessage(error, FAILED))
    } finally {
      setIsPending(false)
    }
  }
  return {
    errors,
    failure,
    isPending,
    book,
    clear: (field: Field) => setErrors((now) => ({ ...now, [field]: undefined })),
  }
}
