import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../components/CopyButton.js'
import { Notice } from '../../components/Notice.js'
import { Field } from '../../forms/Field.js'
import { CodeField } from '../../forms/InputField.js'
import { useForm } from '../../forms/use-form.js'
import { isolateLtr } from '../../lib/format.js'
import { buildRequest, toCurl } from './build-request.js'
import { CodeBlock } from './CodeBlock.js'
import { JSON_TYPE, type Operation } from './openapi-document.js'
import { type ApiResponse, sendRequest } from './send-request.js'

interface Props {
  operation: Operation
  server: string
  token: string
}

/** Shows the request as a curl command and sends it. It has real effects. */
export function TryItForm({ operation, server, token }: Props) {
  const { t } = useTranslation('api-docs')
  const { parameters, requestBody } = operation
  const example = requestBody?.content[JSON_TYPE]?.example
  const [values, setValues] = useState<Record<string, string>>({})
  const [body, setBody] = useState(example === undefined ? '' : JSON.stringify(example, null, 2))
  const [response, setResponse] = useState<ApiResponse | null>(null)
  const hasBinaryBody = requestBody !== undefined && example === undefined
  const input = { values, body, token }
  const command = toCurl(buildRequest(operation, input, server)) + (hasBinaryBody ? ' --data-binary @FILE' : '')
  const form = useForm({ invalid: [], send: async () => setResponse(await sendRequest(operation, input)) })
  return (
    <form className="stack" onSubmit={form.onSubmit}>
      <h3>{t('try.heading')}</h3>
      {parameters.map(({ name, required }) => (
        <ParameterField
          key={name}
          name={name}
          required={required ?? false}
          value={values[name] ?? ''}
          change={(value) => setValues({ ...values, [name]: value })}
        />
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
      <CodeBlock>{command}</CodeBlock>
      <div className="actions">
        {!hasBinaryBody && (
          <button type="submit" className="button primary" aria-disabled={form.isSending}>
            {t('try.send')}
          </button>
        )}
        <CopyButton text={command}>{t('try.copy')}</CopyButton>
      </div>
      {response && <ResponseView response={response} />}
    </form>
  )
}

interface ParameterProps {
  name: string
  required: boolean
  value: string
  change(value: string): void
}

function ParameterField({ name, required, value, change }: ParameterProps) {
  return (
    <CodeField
      label={name}
      optional={!required}
      required={required}
      value={value}
      onChange={({ target }) => change(target.value)}
    />
  )
}

function ResponseView({ response: { status, text } }: { response: ApiResponse }) {
  const { t } = useTranslation('api-docs')
  if (status === null) {
    return (
      <Notice kind="bad" role="alert">
        {t('common:errors.unreachable')}
      </Notice>
    )
  }
  return (
    <div role="status">
      <p>{t('try.response', { status: isolateLtr(status) })}</p>
      {text && <CodeBlock>{text}</CodeBlock>}
    </div>
  )
}
