import { Pencil, Plus, Trash2 } from 'lucide-react'
import { BackLink } from '@/components/ui/actions/back-link.tsx'
import { Button, type ButtonSize, type ButtonVariant } from '@/components/ui/actions/button.tsx'
import { DeleteMenuItem, DropdownMenu, MenuItem, MenuLabel } from '@/components/ui/actions/dropdown-menu.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { UndoButton } from '@/components/ui/actions/undo-button.tsx'
import { RefreshButton } from '@/components/refresh-button.tsx'
import { type ExampleGroup, ignore } from '../example.tsx'

const VARIANTS: readonly ButtonVariant[] = ['primary', 'secondary', 'ghost', 'danger']
const SIZES: readonly ButtonSize[] = ['sm', 'md', 'lg']

export const ACTIONS: readonly ExampleGroup[] = [
  {
    component: 'Button',
    examples: [
      ...VARIANTS.map((variant) => ({
        name: `Variant ${variant}`,
        show: (
          <div className="flex flex-wrap gap-2">
            <Button variant={variant}>Save</Button>
            <Button variant={variant} icon={<Plus size={16} aria-hidden />}>
              Add item
            </Button>
            <Button variant={variant} disabled>
              Disabled
            </Button>
            <Button variant={variant} isPending>
              Pending
            </Button>
          </div>
        ),
      })),
      {
        name: 'Sizes',
        show: (
          <div className="flex flex-wrap items-center gap-2">
            {SIZES.map((size) => (
              <Button key={size} size={size}>
                Size {size}
              </Button>
            ))}
          </div>
        ),
      },
    ],
  },
  {
    component: 'IconButton',
    examples: [
      {
        name: 'Sizes, and disabled',
        show: (
          <div className="flex items-center gap-2">
            <IconButton label="Edit, small" size="sm">
              <Pencil size={16} aria-hidden />
            </IconButton>
            <IconButton label="Edit">
              <Pencil size={16} aria-hidden />
            </IconButton>
            <IconButton label="Delete" variant="danger">
              <Trash2 size={16} aria-hidden />
            </IconButton>
            <IconButton label="Edit, disabled" disabled>
              <Pencil size={16} aria-hidden />
            </IconButton>
          </div>
        ),
      },
    ],
  },
  {
    component: 'DropdownMenu',
    examples: [
      {
        name: 'Opens on a click',
        show: (
          <DropdownMenu trigger={<Button>Actions</Button>} align="start">
            <MenuLabel>Wall hook</MenuLabel>
            <MenuItem icon={<Pencil size={16} aria-hidden />}>Edit</MenuItem>
            <MenuItem disabled>Disabled action</MenuItem>
            <DeleteMenuItem onSelect={ignore} />
          </DropdownMenu>
        ),
      },
    ],
  },
  {
    component: 'BackLink',
    examples: [{ name: 'To a list', show: <BackLink to="?">Inventory</BackLink> }],
  },
  {
    component: 'UndoButton',
    examples: [
      {
        name: 'Idle, and pending',
        show: (
          <div className="flex gap-2">
            <UndoButton>Undo</UndoButton>
            <UndoButton isPending>Restore</UndoButton>
          </div>
        ),
      },
    ],
  },
  {
    component: 'RefreshButton',
    examples: [{ name: 'Idle', show: <RefreshButton queries={[{ refetch: async () => ignore() }]} /> }],
  },
]
