import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { type Passkey, removePasskey, renamePasskey } from '@/lib/session/factors/passkeys.ts'
import { describeKeyError } from '../second-factor/code-message.ts'
import { t } from '@/lib/i18n/messages.ts'

interface PasskeyDialogProps {
  passkey: Passkey
  onClose: () => void
  onChanged: () => Promise<void>
}

const NAME_MAX_LENGTH = 120

export function RenamePasskeyDialog({ passkey, onClose, onChanged }: PasskeyDialogProps) {
  const [name, setName] = useState(passkey.friendly_name ?? '')
  const [isMissing, setIsMissing] = useState(false)
  const rename = useMutation({
    mutationFn: () => renamePasskey({ id: passkey.id, name: name.trim() }),
    onSuccess: async () => {
      onClose()
      await onChanged()
    },
  })
  const submit = (): void => {
    if (name.trim() === '') setIsMissing(true)
    else rename.mutate()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="sm"
      title={t('Rename passkey')}
      error={rename.error && describeKeyError(rename.error)}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" isPending={rename.isPending}>
            {t('Rename')}
          </Button>
        </>
      }
    >
      <Field label={t('Name')} isRequired error={isMissing ? t('Name is required') : undefined}>
        <Input
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            setIsMissing(false)
          }}
          maxLength={NAME_MAX_LENGTH}
          autoFocus
        />
      </Field>
    </Dialog>
  )
}

export function RemovePasskeyDialog({ passkey, onClose, onChanged }: PasskeyDialogProps) {
  const remove = useMutation({
    mutationFn: () => removePasskey(passkey.id),
    onSuccess: async () => {
      onClose()
      await onChanged()
      toast({ title: t('{friendly_name} removed', { friendly_name: passkey.friendly_name }) })
    },
  })
  return (
    <ConfirmDialog
      title={t('Remove “{friendly_name}”?', { friendly_name: passkey.friendly_name })}
      keepLabel={t('Keep it')}
      confirmLabel={t('Remove passkey')}
      isPending={remove.isPending}
      error={remove.error && describeKeyError(remove.error)}
      onConfirm={remove.mutate}
      onClose={onClose}
    >
      {t('It will no longer sign you in. Your device may still list it; remove it there too.')}
    </ConfirmDialog>
  )
}
