import { hasRole } from '@pegasus/contracts/roles'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { useMutation } from '@tanstack/react-query'
import { Download, Ellipsis, PackagePlus, Pencil, Printer, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button, buttonClass } from '@/components/ui/actions/button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '@/components/ui/actions/dropdown-menu.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { ICON } from '@/components/ui/icon-props.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { downloadModel } from '../fields/model-file.ts'
import { EditModelDialog } from '../model-forms/edit-model-dialog.tsx'
import { useDeleteModel } from '../model-forms/model-mutations.ts'
import type { ModelAddresses } from '../stl-library-page.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface ModelActionsProps {
  model: Model
  addresses: Pick<ModelAddresses, 'make' | 'print'>
  /** Called before the deletion, so that the model's page is left first. */
  onRemove: () => void
}

/** The actions on a model. Viewers can only download it. */
export function ModelActions({ model, addresses, onRemove }: ModelActionsProps) {
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const [isEditing, setIsEditing] = useState(false)
  const remove = useDeleteModel()
  return (
    <>
      <DownloadButton model={model} />
      {canChange ? (
        <>
          <Button icon={<Pencil {...ICON} />} onClick={() => setIsEditing(true)}>
            {t('Edit')}
          </Button>
          <Link
            to={addresses.print(model.id)}
            className={`${buttonClass({ variant: 'primary' })} phone:grow`}
          >
            <Printer {...ICON} />
            {t('Print')}
          </Link>
          <DropdownMenu
            trigger={
              <IconButton label={t('More for {title}', { title: model.title })}>
                <Ellipsis {...ICON} />
              </IconButton>
            }
          >
            <MenuItem asChild>
              <Link to={addresses.make(model.id)}>
                <PackagePlus {...ICON} />
                {t('Make a product')}
              </Link>
            </MenuItem>
            <MenuSeparator />
            <MenuItem
              icon={<Trash2 {...ICON} />}
              isDanger
              onSelect={() => {
                onRemove()
                remove.mutate(model)
              }}
            >
              {t('Delete model')}
            </MenuItem>
          </DropdownMenu>
        </>
      ) : null}
      {isEditing ? <EditModelDialog model={model} onClose={() => setIsEditing(false)} /> : null}
    </>
  )
}

function DownloadButton({ model }: { model: Pick<Model, 'id' | 'file_name'> }) {
  const download = useMutation({
    mutationFn: () => downloadModel(model),
    onError: (error) =>
      toast({
        title: errorMessage(error, t('Failed to download. Please try again.')),
        action: { label: t('Retry'), onSelect: () => download.mutate() },
      }),
  })
  return (
    <Button
      onClick={() => download.mutate()}
      isPending={download.isPending}
      icon={<Download {...ICON} />}
      title={model.file_name}
    >
      {t('Download')}
    </Button>
  )
}
