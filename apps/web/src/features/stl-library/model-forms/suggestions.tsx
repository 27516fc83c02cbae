import type { Model } from '@pegasus/contracts/stl-library/models'
import { Check, Sparkles } from 'lucide-react'
import { toastError } from '@/components/toast-error.ts'
import { Button } from '@/components/ui/actions/button.tsx'
import { FIELD_NOUNS, isEditField } from './edit-model-form.ts'
import { useUpdateModel } from './model-mutations.ts'
import { joinWords } from '@/lib/i18n/join-words.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

/** Lists the fields with suggested values, and lets a person keep them. */
export function Proposals({ model, canChange }: { model: Model; canChange: boolean }) {
  const update = useUpdateModel()
  const fields = model.suggested_fields.filter(isEditField)
  if (fields.length === 0) return null
  const names = joinWords(fields.map((field) => FIELD_NOUNS[field]))
  const keep = () =>
    update.mutate(
      {
        id: model.id,
        revision: model.revision,
        edit: Object.fromEntries(fields.map((field) => [field, model[field]])),
      },
      { onError: toastError },
    )
  return (
    <div className="flex items-center gap-2.5 rounded-control bg-accent-soft px-3 py-2 text-label text-accent-ink">
      <Sparkles size={16} strokeWidth={1.75} className="shrink-0" aria-hidden />
      <p className="min-w-0 flex-1">
        {rich('<span>Suggested: {names}.</span> Proposed from the file; edit or keep.', {
          names,
          span: (text) => <span className="font-semibold">{text}</span>,
        })}
      </p>
      {canChange ? (
        <Button
          size="sm"
          icon={<Check size={14} strokeWidth={1.75} aria-hidden />}
          isPending={update.isPending}
          onClick={keep}
        >
          {t('Keep')}
        </Button>
      ) : null}
    </div>
  )
}
