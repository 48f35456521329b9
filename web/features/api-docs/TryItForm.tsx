import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../components/CopyButton.js'
import { Notice } from '../../components/Notice.js'
import { Field } from '../../forms/Field.js'
import { leftToRight } from '../../lib/format.js'
import { curlOf, prepare } from './build-request.js'
import { Code } from './CodeBlock.js'
import { JSON_TYPE, type Operation } from './openapi-document.js'
import { type Answer, send } from './send-request.js'

interface Props {
  operation: Operation
  server: string
  token: string
}

/** The same call as a line for the shell, and sent from here. What it does is done. */
export function TryIt({ operation, server, token }: Props) {
  const { t } = useTranslation('api')
  const { parameters, requestBody } = operation
  const example = requestBody?.content[JSON_TYPE]?.example
  const [values, setValues] = useState<Record<string, string>>({})
  const [body, setBody] = useState(example === undefined ? '' : JSON.stringify(example, null, 2))
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [isBusy, setBusy] = useState(false)
  const takesOctets = requestBody !== undefined && example === undefined
  const filled = { values, body, token }
  const line = curlOf(prepare(operation, filled, server)) + (takesOctets ? ' --data-binary @FILE' : '')

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setAnswer(await send(operation, filled))
    setBusy(false)
  }
  return (
    <form className="stack" onSubmit={submit}>
      <h3>{t('try.heading')}</h3>
      {parameters.map(({ name, required }) => (
        <Field key={name} label={name} optional={!required}>
          {(control) => (
            <input
              {...control}
              className="mono"
              dir="ltr"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required={required}
              value={values[name] ?? ''}
              onChange={({ target }) => setValues({ ...values, [name]: target.value })}
            />
          )}
        </Field>
      ))}
      {example !== undefined && (
        <Field label={t('body')}>
          {(control) => (
            <textarea
              {...control}
              dir="ltr"
              spellCheck={false}
              value={body}
              onChange={({ target }) => setBody(target.value)}
            />
          )}
        </Field>
      )}
      <Code>{line}</Code>
      <div className="actions">
        {!takesOctets && (
          <button type="submit" className="button primary" aria-disabled={isBusy}>
            {t('try.send')}
          </button>
        )}
        <CopyButton text={line}>{t('try.copy')}</CopyButton>
      </div>
      {answer && <AnswerBox answer={answer} />}
    </form>
  )
}

function AnswerBox({ answer: { status, text } }: { answer: Answer }) {
  const { t } = useTranslation('api')
  if (status === null) {
    return (
      <Notice kind="bad" role="alert">
        {t('common:errors.unreachable')}
      </Notice>
    )
  }
  return (
    <div role="status">
      <p>{t('try.answer', { status: leftToRight(status) })}</p>
      {text && <Code>{text}</Code>}
    </div>
  )
}
