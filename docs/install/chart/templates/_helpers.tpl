{{- define "mayfly.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "mayfly.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "mayfly.labels" -}}
{{ include "mayfly.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "mayfly.account" -}}
{{ .Values.serviceAccount.name | default (include "mayfly.name" .) }}
{{- end }}

{{- define "mayfly.claim" -}}
{{ .Values.persistence.existingClaim | default (include "mayfly.name" .) }}
{{- end }}
