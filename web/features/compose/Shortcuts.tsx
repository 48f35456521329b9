import { Fragment, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/Dialog.js'
import { CheckField } from '../../forms/CheckField.js'
import { useKeyShortcuts } from '../../lib/key-shortcuts.js'
import { useDeferredState } from '../../lib/use-deferred-state.js'

interface Props {
  copy(): void
  startNew(): void
}

/** The keys of the page with a created link, and a button that lists them. */
export function Shortcuts({ copy, startNew }: Props) {
  const { t } = useTranslation('compose')
  const [isOpen, setOpen] = useDeferredState(false)
  const open = () => setOpen(true)
  const shortcuts = useKeyShortcuts({ c: copy, n: startNew, '?': open })
  return (
    <>
      <p className="hint shortcut">
        <button type="button" className="button quiet" onClick={open}>
          {t('shortcuts.heading')}
        </button>{' '}
        {shortcuts.isOn && <kbd>?</kbd>}
      </p>
      {isOpen && <ShortcutsDialog {...shortcuts} onClosed={() => setOpen(false)} />}
    </>
  )
}

interface DialogProps {
  isOn: boolean
  turn(on: boolean): void
  onClosed(): void
}

/** The list of keys, and a switch that turns them off. */
function ShortcutsDialog({ isOn, turn, onClosed }: DialogProps) {
  const { t } = useTranslation('compose')
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const rows = { c: t('link.copy'), n: t('created.another'), '?': t('shortcuts.heading') }
  return (
    <Dialog dialog={dialog} labelledBy={id} onClosed={onClosed}>
      <div className="dialog stack">
        <h2 id={id}>{t('shortcuts.heading')}</h2>
        <dl className="keys">
          {Object.entries(rows).map(([key, action]) => (
            <Fragment key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{action}</dd>
            </Fragment>
          ))}
        </dl>
        <CheckField label={t('shortcuts.enabled')} hint={t('shortcuts.hint')} checked={isOn} onChange={turn} />
        <form method="dialog" className="actions end">
          <button type="submit" className="button">
            {t('shortcuts.close')}
          </button>
        </form>
      </div>
    </Dialog>
  )
}
