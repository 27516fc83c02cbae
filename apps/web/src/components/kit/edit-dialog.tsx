import type { ReactNode } from 'react'
import type { FieldErrors, FormText, Merge } from '@/lib/forms/form-merge.ts'
import { type MergedEditOptions, useMergedEdit } from '@/lib/forms/use-merged-edit.ts'
import { EditConflict, OtherValue } from '../edit-conflict.tsx'
import { toast } from '../ui/overlays/toast-store.ts'
import { FormDialog } from './form-dialog.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** The state and functions that the fields of an EditDialog need. */
export interface EditFields<Field extends string> {
  form: FormText<Field>
  change: (part: Partial<FormText<Field>>) => void
  errors: FieldErrors<Field>
  /** Returns the other person's value of a field that two people changed. Show it instead of the field's own hint. */
  hintOf: (field: Field) => ReactNode
  isTouched: (field: Field) => boolean
  /** The changes that somebody else has saved during this edit; null if there are none. */
  merge: Merge<Field> | null
}

interface EditDialogProps<Field extends string, Thing extends { revision: number }, Body>
  extends Omit<MergedEditOptions<Field, Thing, Body>, 'onSaved'> {
  title: string
  description?: ReactNode
  size?: 'sm' | 'md' | 'lg'
  /** Labels of the fields, used in messages about a conflict. */
  labels: Readonly<Record<Field, string>>
  /**
   * Returns readable text for the value of a field, for fields whose values are not readable, such as ids.
   */
  describeValue?: (field: Field, text: string) => string
  /** Returns the text of the toast after saving. */
  savedText: (saved: Thing) => string
  /** Called after saving, to refetch the queries that show the entity. */
  onSaved?: (saved: Thing) => void
  onClose: () => void
  children: (fields: EditFields<Field>) => ReactNode
}

/**
 * The dialog that edits an entity. It sends only the changed fields. If somebody else has saved first, it
 * keeps the typed text, shows the other person's changes, and offers the other value at each field that both
 * changed.
 */
export function EditDialog<Field extends string, Thing extends { revision: number }, Body>(
  props: EditDialogProps<Field, Thing, Body>,
) {
  const {
    title,
    description,
    size = 'md',
    labels,
    describeValue = (_, text) => text,
    onClose,
    children,
  } = props
  const edit = useMergedEdit({
    ...props,
    onSaved: (saved) => {
      if (saved) {
        toast({ title: props.savedText(saved) })
        props.onSaved?.(saved)
      }
      onClose()
    },
  })
  const { form, change, errors, isTouched, merge } = edit
  const hintOf = (field: Field) =>
    merge?.conflicts.includes(field) ? (
      <OtherValue text={describeValue(field, merge.theirs[field])} onTake={() => edit.takeTheirs(field)} />
    ) : undefined
  return (
    <FormDialog
      state={edit}
      submitLabel={merge ? t('Save again') : t('Save')}
      onClose={onClose}
      title={title}
      description={description}
      size={size}
    >
      {merge ? (
        <EditConflict merge={merge} labels={labels} describeValue={describeValue} className="mb-4" />
      ) : null}
      {children({ form, change, errors, hintOf, isTouched, merge })}
    </FormDialog>
  )
}
