/* oxlint-disable */
// Made by "bun run schemas" from src/protocol/schema-v1.ts, schema-v2.ts and schema-v3.ts.
"use strict";
export const validateV1 = validate10;
const schema11 = {"$schema":"http://json-schema.org/draft-07/schema#","title":"papa-yu model answer, protocol v1","x_schema_version":1,"type":["object","array"],"properties":{"mode":{"enum":["fix-plan","apply"]},"summary":{"type":"string"},"questions":{"type":"array","items":{"type":"string"}},"context_requests":{"type":"array","items":{"type":"object","required":["type"],"properties":{"type":{"enum":["read_file","search","logs","env"]},"path":{"type":"string"},"start_line":{"type":"integer","minimum":1},"end_line":{"type":"integer","minimum":1},"query":{"type":"string"},"glob":{"type":"string"},"source":{"type":"string"},"last_n":{"type":"integer","minimum":1,"maximum":5000}}}},"plan":{"type":"array","items":{"type":"object","required":["step"],"properties":{"step":{"anyOf":[{"type":"string"},{"type":"integer"}]},"details":{"type":"string"}}}},"actions":{"type":"array","items":{"type":"object","required":["kind","path"],"properties":{"kind":{"enum":["CREATE_FILE","CREATE_DIR","UPDATE_FILE","DELETE_FILE","DELETE_DIR"]},"path":{"type":"string"},"content":{"type":"string"}}}},"proposed_changes":{"type":"object","properties":{"actions":{"type":"array","items":{"type":"object","required":["kind","path"],"properties":{"kind":{"enum":["CREATE_FILE","CREATE_DIR","UPDATE_FILE","DELETE_FILE","DELETE_DIR"]},"path":{"type":"string"},"content":{"type":"string"}}}}}},"memory_patch":{"type":"object","properties":{}},"risks":{"type":"array","items":{"type":"string"}}},"items":{"type":"object","required":["kind","path"],"properties":{"kind":{"enum":["CREATE_FILE","CREATE_DIR","UPDATE_FILE","DELETE_FILE","DELETE_DIR"]},"path":{"type":"string"},"content":{"type":"string"}}}};

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!data || typeof data != "object"){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema11.type},message:"must be object,array",schema:schema11.type,parentSchema:schema11,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(Array.isArray(data)){
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
let data0 = data[i0];
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.kind === undefined){
const err1 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema11.items.required,parentSchema:schema11.items,data:data0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.path === undefined){
const err2 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema11.items.required,parentSchema:schema11.items,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.kind !== undefined){
let data1 = data0.kind;
if(!(((((data1 === "CREATE_FILE") || (data1 === "CREATE_DIR")) || (data1 === "UPDATE_FILE")) || (data1 === "DELETE_FILE")) || (data1 === "DELETE_DIR"))){
const err3 = {instancePath:instancePath+"/" + i0+"/kind",schemaPath:"#/items/properties/kind/enum",keyword:"enum",params:{allowedValues: schema11.items.properties.kind.enum},message:"must be equal to one of the allowed values",schema:schema11.items.properties.kind.enum,parentSchema:schema11.items.properties.kind,data:data1};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data0.path !== undefined){
let data2 = data0.path;
if(typeof data2 !== "string"){
const err4 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.items.properties.path.type,parentSchema:schema11.items.properties.path,data:data2};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data0.content !== undefined){
let data3 = data0.content;
if(typeof data3 !== "string"){
const err5 = {instancePath:instancePath+"/" + i0+"/content",schemaPath:"#/items/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.items.properties.content.type,parentSchema:schema11.items.properties.content,data:data3};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema11.items.type,parentSchema:schema11.items,data:data0};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.mode !== undefined){
let data4 = data.mode;
if(!((data4 === "fix-plan") || (data4 === "apply"))){
const err7 = {instancePath:instancePath+"/mode",schemaPath:"#/properties/mode/enum",keyword:"enum",params:{allowedValues: schema11.properties.mode.enum},message:"must be equal to one of the allowed values",schema:schema11.properties.mode.enum,parentSchema:schema11.properties.mode,data:data4};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.summary !== undefined){
let data5 = data.summary;
if(typeof data5 !== "string"){
const err8 = {instancePath:instancePath+"/summary",schemaPath:"#/properties/summary/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.properties.summary.type,parentSchema:schema11.properties.summary,data:data5};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.questions !== undefined){
let data6 = data.questions;
if(Array.isArray(data6)){
const len1 = data6.length;
for(let i1=0; i1<len1; i1++){
let data7 = data6[i1];
if(typeof data7 !== "string"){
const err9 = {instancePath:instancePath+"/questions/" + i1,schemaPath:"#/properties/questions/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.properties.questions.items.type,parentSchema:schema11.properties.questions.items,data:data7};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath:instancePath+"/questions",schemaPath:"#/properties/questions/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema11.properties.questions.type,parentSchema:schema11.properties.questions,data:data6};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.context_requests !== undefined){
let data8 = data.context_requests;
if(Array.isArray(data8)){
const len2 = data8.length;
for(let i2=0; i2<len2; i2++){
let data9 = data8[i2];
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.type === undefined){
const err11 = {instancePath:instancePath+"/context_requests/" + i2,schemaPath:"#/properties/context_requests/items/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'",schema:schema11.properties.context_requests.items.required,parentSchema:schema11.properties.context_requests.items,data:data9};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data9.type !== undefined){
let data10 = data9.type;
if(!((((data10 === "read_file") || (data10 === "search")) || (data10 === "logs")) || (data10 === "env"))){
const err12 = {instancePath:instancePath+"/context_requests/" + i2+"/type",schemaPath:"#/properties/context_requests/items/properties/type/enum",keyword:"enum",params:{allowedValues: schema11.properties.context_requests.items.properties.type.enum},message:"must be equal to one of the allowed values",schema:schema11.properties.context_requests.items.properties.type.enum,parentSchema:schema11.properties.context_requests.items.properties.type,data:data10};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data9.path !== undefined){
let data11 = data9.path;
if(typeof data11 !== "string"){
const err13 = {instancePath:instancePath+"/context_requests/" + i2+"/path",schemaPath:"#/properties/context_requests/items/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.properties.context_requests.items.properties.path.type,parentSchema:schema11.properties.context_requests.items.properties.path,data:data11};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data9.start_line !== undefined){
let data12 = data9.start_line;
if(!((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12)))){
const err14 = {instancePath:instancePath+"/context_requests/" + i2+"/start_line",schemaPath:"#/properties/context_requests/items/properties/start_line/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema11.properties.context_requests.items.properties.start_line.type,parentSchema:schema11.properties.context_requests.items.properties.start_line,data:data12};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(typeof data12 == "number"){
if(data12 < 1 || isNaN(data12)){
const err15 = {instancePath:instancePath+"/context_requests/" + i2+"/start_line",schemaPath:"#/properties/context_requests/items/properties/start_line/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema11.properties.context_requests.items.properties.start_line,data:data12};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
if(data9.end_line !== undefined){
let data13 = data9.end_line;
if(!((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13)))){
const err16 = {instancePath:instancePath+"/context_requests/" + i2+"/end_line",schemaPath:"#/properties/context_requests/items/properties/end_line/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema11.properties.context_requests.items.properties.end_line.type,parentSchema:schema11.properties.context_requests.items.properties.end_line,data:data13};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(typeof data13 == "number"){
if(data13 < 1 || isNaN(data13)){
const err17 = {instancePath:instancePath+"/context_requests/" + i2+"/end_line",schemaPath:"#/properties/context_requests/items/properties/end_line/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema11.properties.context_requests.items.properties.end_line,data:data13};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
if(data9.query !== undefined){
let data14 = data9.query;
if(typeof data14 !== "string"){
const err18 = {instancePath:instancePath+"/context_requests/" + i2+"/query",schemaPath:"#/properties/context_requests/items/properties/query/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.properties.context_requests.items.properties.query.type,parentSchema:schema11.properties.context_requests.items.properties.query,data:data14};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data9.glob !== undefined){
let data15 = data9.glob;
if(typeof data15 !== "string"){
const err19 = {instancePath:instancePath+"/context_requests/" + i2+"/glob",schemaPath:"#/properties/context_requests/items/properties/glob/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.properties.context_requests.items.properties.glob.type,parentSchema:schema11.properties.context_requests.items.properties.glob,data:data15};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data9.source !== undefined){
let data16 = data9.source;
if(typeof data16 !== "string"){
const err20 = {instancePath:instancePath+"/context_requests/" + i2+"/source",schemaPath:"#/properties/context_requests/items/properties/source/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.properties.context_requests.items.properties.source.type,parentSchema:schema11.properties.context_requests.items.properties.source,data:data16};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data9.last_n !== undefined){
let data17 = data9.last_n;
if(!((typeof data17 == "number") && (!(data17 % 1) && !isNaN(data17)))){
const err21 = {instancePath:instancePath+"/context_requests/" + i2+"/last_n",schemaPath:"#/properties/context_requests/items/properties/last_n/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema11.properties.context_requests.items.properties.last_n.type,parentSchema:schema11.properties.context_requests.items.properties.last_n,data:data17};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(typeof data17 == "number"){
if(data17 > 5000 || isNaN(data17)){
const err22 = {instancePath:instancePath+"/context_requests/" + i2+"/last_n",schemaPath:"#/properties/context_requests/items/properties/last_n/maximum",keyword:"maximum",params:{comparison: "<=", limit: 5000},message:"must be <= 5000",schema:5000,parentSchema:schema11.properties.context_requests.items.properties.last_n,data:data17};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(data17 < 1 || isNaN(data17)){
const err23 = {instancePath:instancePath+"/context_requests/" + i2+"/last_n",schemaPath:"#/properties/context_requests/items/properties/last_n/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema11.properties.context_requests.items.properties.last_n,data:data17};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
}
}
else {
const err24 = {instancePath:instancePath+"/context_requests/" + i2,schemaPath:"#/properties/context_requests/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema11.properties.context_requests.items.type,parentSchema:schema11.properties.context_requests.items,data:data9};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
}
else {
const err25 = {instancePath:instancePath+"/context_requests",schemaPath:"#/properties/context_requests/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema11.properties.context_requests.type,parentSchema:schema11.properties.context_requests,data:data8};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.plan !== undefined){
let data18 = data.plan;
if(Array.isArray(data18)){
const len3 = data18.length;
for(let i3=0; i3<len3; i3++){
let data19 = data18[i3];
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
if(data19.step === undefined){
const err26 = {instancePath:instancePath+"/plan/" + i3,schemaPath:"#/properties/plan/items/required",keyword:"required",params:{missingProperty: "step"},message:"must have required property '"+"step"+"'",schema:schema11.properties.plan.items.required,parentSchema:schema11.properties.plan.items,data:data19};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(data19.step !== undefined){
let data20 = data19.step;
const _errs39 = errors;
let valid12 = false;
const _errs40 = errors;
if(typeof data20 !== "string"){
const err27 = {instancePath:instancePath+"/plan/" + i3+"/step",schemaPath:"#/properties/plan/items/properties/step/anyOf/0/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.properties.plan.items.properties.step.anyOf[0].type,parentSchema:schema11.properties.plan.items.properties.step.anyOf[0],data:data20};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
var _valid0 = _errs40 === errors;
valid12 = valid12 || _valid0;
if(!valid12){
const _errs42 = errors;
if(!((typeof data20 == "number") && (!(data20 % 1) && !isNaN(data20)))){
const err28 = {instancePath:instancePath+"/plan/" + i3+"/step",schemaPath:"#/properties/plan/items/properties/step/anyOf/1/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema11.properties.plan.items.properties.step.anyOf[1].type,parentSchema:schema11.properties.plan.items.properties.step.anyOf[1],data:data20};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
var _valid0 = _errs42 === errors;
valid12 = valid12 || _valid0;
}
if(!valid12){
const err29 = {instancePath:instancePath+"/plan/" + i3+"/step",schemaPath:"#/properties/plan/items/properties/step/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf",schema:schema11.properties.plan.items.properties.step.anyOf,parentSchema:schema11.properties.plan.items.properties.step,data:data20};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
else {
errors = _errs39;
if(vErrors !== null){
if(_errs39){
vErrors.length = _errs39;
}
else {
vErrors = null;
}
}
}
}
if(data19.details !== undefined){
let data21 = data19.details;
if(typeof data21 !== "string"){
const err30 = {instancePath:instancePath+"/plan/" + i3+"/details",schemaPath:"#/properties/plan/items/properties/details/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.properties.plan.items.properties.details.type,parentSchema:schema11.properties.plan.items.properties.details,data:data21};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
else {
const err31 = {instancePath:instancePath+"/plan/" + i3,schemaPath:"#/properties/plan/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema11.properties.plan.items.type,parentSchema:schema11.properties.plan.items,data:data19};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
}
else {
const err32 = {instancePath:instancePath+"/plan",schemaPath:"#/properties/plan/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema11.properties.plan.type,parentSchema:schema11.properties.plan,data:data18};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data.actions !== undefined){
let data22 = data.actions;
if(Array.isArray(data22)){
const len4 = data22.length;
for(let i4=0; i4<len4; i4++){
let data23 = data22[i4];
if(data23 && typeof data23 == "object" && !Array.isArray(data23)){
if(data23.kind === undefined){
const err33 = {instancePath:instancePath+"/actions/" + i4,schemaPath:"#/properties/actions/items/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema11.properties.actions.items.required,parentSchema:schema11.properties.actions.items,data:data23};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
if(data23.path === undefined){
const err34 = {instancePath:instancePath+"/actions/" + i4,schemaPath:"#/properties/actions/items/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema11.properties.actions.items.required,parentSchema:schema11.properties.actions.items,data:data23};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
if(data23.kind !== undefined){
let data24 = data23.kind;
if(!(((((data24 === "CREATE_FILE") || (data24 === "CREATE_DIR")) || (data24 === "UPDATE_FILE")) || (data24 === "DELETE_FILE")) || (data24 === "DELETE_DIR"))){
const err35 = {instancePath:instancePath+"/actions/" + i4+"/kind",schemaPath:"#/properties/actions/items/properties/kind/enum",keyword:"enum",params:{allowedValues: schema11.properties.actions.items.properties.kind.enum},message:"must be equal to one of the allowed values",schema:schema11.properties.actions.items.properties.kind.enum,parentSchema:schema11.properties.actions.items.properties.kind,data:data24};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data23.path !== undefined){
let data25 = data23.path;
if(typeof data25 !== "string"){
const err36 = {instancePath:instancePath+"/actions/" + i4+"/path",schemaPath:"#/properties/actions/items/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.properties.actions.items.properties.path.type,parentSchema:schema11.properties.actions.items.properties.path,data:data25};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data23.content !== undefined){
let data26 = data23.content;
if(typeof data26 !== "string"){
const err37 = {instancePath:instancePath+"/actions/" + i4+"/content",schemaPath:"#/properties/actions/items/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.properties.actions.items.properties.content.type,parentSchema:schema11.properties.actions.items.properties.content,data:data26};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
}
else {
const err38 = {instancePath:instancePath+"/actions/" + i4,schemaPath:"#/properties/actions/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema11.properties.actions.items.type,parentSchema:schema11.properties.actions.items,data:data23};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
}
else {
const err39 = {instancePath:instancePath+"/actions",schemaPath:"#/properties/actions/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema11.properties.actions.type,parentSchema:schema11.properties.actions,data:data22};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data.proposed_changes !== undefined){
let data27 = data.proposed_changes;
if(data27 && typeof data27 == "object" && !Array.isArray(data27)){
if(data27.actions !== undefined){
let data28 = data27.actions;
if(Array.isArray(data28)){
const len5 = data28.length;
for(let i5=0; i5<len5; i5++){
let data29 = data28[i5];
if(data29 && typeof data29 == "object" && !Array.isArray(data29)){
if(data29.kind === undefined){
const err40 = {instancePath:instancePath+"/proposed_changes/actions/" + i5,schemaPath:"#/properties/proposed_changes/properties/actions/items/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema11.properties.proposed_changes.properties.actions.items.required,parentSchema:schema11.properties.proposed_changes.properties.actions.items,data:data29};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
if(data29.path === undefined){
const err41 = {instancePath:instancePath+"/proposed_changes/actions/" + i5,schemaPath:"#/properties/proposed_changes/properties/actions/items/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema11.properties.proposed_changes.properties.actions.items.required,parentSchema:schema11.properties.proposed_changes.properties.actions.items,data:data29};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
if(data29.kind !== undefined){
let data30 = data29.kind;
if(!(((((data30 === "CREATE_FILE") || (data30 === "CREATE_DIR")) || (data30 === "UPDATE_FILE")) || (data30 === "DELETE_FILE")) || (data30 === "DELETE_DIR"))){
const err42 = {instancePath:instancePath+"/proposed_changes/actions/" + i5+"/kind",schemaPath:"#/properties/proposed_changes/properties/actions/items/properties/kind/enum",keyword:"enum",params:{allowedValues: schema11.properties.proposed_changes.properties.actions.items.properties.kind.enum},message:"must be equal to one of the allowed values",schema:schema11.properties.proposed_changes.properties.actions.items.properties.kind.enum,parentSchema:schema11.properties.proposed_changes.properties.actions.items.properties.kind,data:data30};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
if(data29.path !== undefined){
let data31 = data29.path;
if(typeof data31 !== "string"){
const err43 = {instancePath:instancePath+"/proposed_changes/actions/" + i5+"/path",schemaPath:"#/properties/proposed_changes/properties/actions/items/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.properties.proposed_changes.properties.actions.items.properties.path.type,parentSchema:schema11.properties.proposed_changes.properties.actions.items.properties.path,data:data31};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
if(data29.content !== undefined){
let data32 = data29.content;
if(typeof data32 !== "string"){
const err44 = {instancePath:instancePath+"/proposed_changes/actions/" + i5+"/content",schemaPath:"#/properties/proposed_changes/properties/actions/items/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.properties.proposed_changes.properties.actions.items.properties.content.type,parentSchema:schema11.properties.proposed_changes.properties.actions.items.properties.content,data:data32};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
}
else {
const err45 = {instancePath:instancePath+"/proposed_changes/actions/" + i5,schemaPath:"#/properties/proposed_changes/properties/actions/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema11.properties.proposed_changes.properties.actions.items.type,parentSchema:schema11.properties.proposed_changes.properties.actions.items,data:data29};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
}
else {
const err46 = {instancePath:instancePath+"/proposed_changes/actions",schemaPath:"#/properties/proposed_changes/properties/actions/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema11.properties.proposed_changes.properties.actions.type,parentSchema:schema11.properties.proposed_changes.properties.actions,data:data28};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
}
else {
const err47 = {instancePath:instancePath+"/proposed_changes",schemaPath:"#/properties/proposed_changes/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema11.properties.proposed_changes.type,parentSchema:schema11.properties.proposed_changes,data:data27};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
if(data.memory_patch !== undefined){
let data33 = data.memory_patch;
if(!(data33 && typeof data33 == "object" && !Array.isArray(data33))){
const err48 = {instancePath:instancePath+"/memory_patch",schemaPath:"#/properties/memory_patch/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema11.properties.memory_patch.type,parentSchema:schema11.properties.memory_patch,data:data33};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
if(data.risks !== undefined){
let data34 = data.risks;
if(Array.isArray(data34)){
const len6 = data34.length;
for(let i6=0; i6<len6; i6++){
let data35 = data34[i6];
if(typeof data35 !== "string"){
const err49 = {instancePath:instancePath+"/risks/" + i6,schemaPath:"#/properties/risks/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.properties.risks.items.type,parentSchema:schema11.properties.risks.items,data:data35};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
}
else {
const err50 = {instancePath:instancePath+"/risks",schemaPath:"#/properties/risks/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema11.properties.risks.type,parentSchema:schema11.properties.risks,data:data34};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
}
validate10.errors = vErrors;
return errors === 0;
}

export const validateV2 = validate11;
const schema12 = {"type":"object","required":["actions"],"properties":{"actions":{"type":"array","items":{"type":"object","required":["kind"],"discriminator":{"propertyName":"kind"},"oneOf":[{"type":"object","required":["kind","path","content"],"properties":{"kind":{"type":"string","const":"CREATE_FILE"},"path":{"type":"string","minLength":1,"maxLength":240},"content":{"type":"string","maxLength":1200000}},"additionalProperties":false},{"type":"object","required":["kind","path","content"],"properties":{"kind":{"type":"string","const":"UPDATE_FILE"},"path":{"type":"string","minLength":1,"maxLength":240},"content":{"type":"string","maxLength":1200000}},"additionalProperties":false},{"type":"object","required":["kind","path"],"properties":{"kind":{"type":"string","const":"CREATE_DIR"},"path":{"type":"string","minLength":1,"maxLength":240}},"additionalProperties":false},{"type":"object","required":["kind","path"],"properties":{"kind":{"type":"string","const":"DELETE_FILE"},"path":{"type":"string","minLength":1,"maxLength":240}},"additionalProperties":false},{"type":"object","required":["kind","path"],"properties":{"kind":{"type":"string","const":"DELETE_DIR"},"path":{"type":"string","minLength":1,"maxLength":240}},"additionalProperties":false},{"type":"object","required":["kind","path","patch","base_sha256"],"properties":{"kind":{"type":"string","const":"PATCH_FILE"},"path":{"type":"string","minLength":1,"maxLength":240},"patch":{"type":"string","maxLength":1200000},"base_sha256":{"type":"string","pattern":"^[a-f0-9]{64}$"}},"additionalProperties":false},{"type":"object","required":["kind","path","base_sha256","start_line","end_line","content"],"properties":{"kind":{"type":"string","const":"REPLACE_RANGE"},"path":{"type":"string","minLength":1,"maxLength":240},"base_sha256":{"type":"string","pattern":"^[a-f0-9]{64}$"},"start_line":{"type":"integer","minimum":1},"end_line":{"type":"integer","minimum":0},"content":{"type":"string","maxLength":1200000}},"additionalProperties":false}]},"maxItems":200},"summary":{"type":"string","maxLength":8000},"context_requests":{"type":"array","items":{"type":"object","required":["type"],"discriminator":{"propertyName":"type"},"oneOf":[{"type":"object","required":["type","path"],"properties":{"type":{"type":"string","const":"read_file"},"path":{"type":"string","minLength":1,"maxLength":240},"start_line":{"type":"integer","minimum":1},"end_line":{"type":"integer","minimum":1}},"additionalProperties":false},{"type":"object","required":["type","query"],"properties":{"type":{"type":"string","const":"search"},"query":{"type":"string","minLength":1,"maxLength":2000},"glob":{"type":"string","minLength":1,"maxLength":512}},"additionalProperties":false},{"type":"object","required":["type","source"],"properties":{"type":{"type":"string","const":"logs"},"source":{"type":"string","minLength":1,"maxLength":200},"last_n":{"type":"integer","minimum":1,"maximum":5000}},"additionalProperties":false},{"type":"object","required":["type"],"properties":{"type":{"type":"string","const":"env"}},"additionalProperties":false}]},"maxItems":64},"memory_patch":{"type":"object","properties":{"user.preferred_style":{"type":"string","maxLength":2000},"user.ask_budget":{"anyOf":[{"type":"integer","minimum":0},{"type":"string","pattern":"^[0-9]{1,9}$"}]},"user.risk_tolerance":{"type":"string","maxLength":2000},"user.default_language":{"type":"string","maxLength":2000},"user.output_format":{"type":"string","maxLength":2000},"project.default_test_command":{"type":"string","maxLength":2000},"project.default_lint_command":{"type":"string","maxLength":2000},"project.default_format_command":{"type":"string","maxLength":2000},"project.package_manager":{"type":"string","maxLength":2000},"project.build_command":{"type":"string","maxLength":2000},"project.src_roots":{"type":"array","items":{"type":"string","minLength":1,"maxLength":240},"maxItems":64},"project.test_roots":{"type":"array","items":{"type":"string","minLength":1,"maxLength":240},"maxItems":64},"project.ci_notes":{"type":"string","maxLength":2000}},"additionalProperties":false}},"$schema":"http://json-schema.org/draft-07/schema#","title":"papa-yu model answer, protocol v2","x_schema_version":2,"additionalProperties":false};
const func2 = require("ajv/dist/runtime/ucs2length").default;
const func29 = Object.prototype.hasOwnProperty;
const pattern0 = new RegExp("^[a-f0-9]{64}$", "u");
const pattern2 = new RegExp("^[0-9]{1,9}$", "u");

function validate11(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.actions === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "actions"},message:"must have required property '"+"actions"+"'",schema:schema12.required,parentSchema:schema12,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!((((key0 === "actions") || (key0 === "summary")) || (key0 === "context_requests")) || (key0 === "memory_patch"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema12,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.actions !== undefined){
let data0 = data.actions;
if(Array.isArray(data0)){
if(data0.length > 200){
const err2 = {instancePath:instancePath+"/actions",schemaPath:"#/properties/actions/maxItems",keyword:"maxItems",params:{limit: 200},message:"must NOT have more than 200 items",schema:200,parentSchema:schema12.properties.actions,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.kind === undefined){
const err3 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema12.properties.actions.items.required,parentSchema:schema12.properties.actions.items,data:data1};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const tag0 = data1.kind;
if(typeof tag0 == "string"){
if(tag0 === "CREATE_FILE"){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.kind === undefined){
const err4 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/0/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema12.properties.actions.items.oneOf[0].required,parentSchema:schema12.properties.actions.items.oneOf[0],data:data1};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data1.path === undefined){
const err5 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/0/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema12.properties.actions.items.oneOf[0].required,parentSchema:schema12.properties.actions.items.oneOf[0],data:data1};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1.content === undefined){
const err6 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/0/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'",schema:schema12.properties.actions.items.oneOf[0].required,parentSchema:schema12.properties.actions.items.oneOf[0],data:data1};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
for(const key1 in data1){
if(!(((key1 === "kind") || (key1 === "path")) || (key1 === "content"))){
const err7 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/0/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema12.properties.actions.items.oneOf[0],data:data1};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data1.kind !== undefined){
let data2 = data1.kind;
if(typeof data2 !== "string"){
const err8 = {instancePath:instancePath+"/actions/" + i0+"/kind",schemaPath:"#/properties/actions/items/oneOf/0/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[0].properties.kind.type,parentSchema:schema12.properties.actions.items.oneOf[0].properties.kind,data:data2};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if("CREATE_FILE" !== data2){
const err9 = {instancePath:instancePath+"/actions/" + i0+"/kind",schemaPath:"#/properties/actions/items/oneOf/0/properties/kind/const",keyword:"const",params:{allowedValue: "CREATE_FILE"},message:"must be equal to constant",schema:"CREATE_FILE",parentSchema:schema12.properties.actions.items.oneOf[0].properties.kind,data:data2};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data1.path !== undefined){
let data3 = data1.path;
if(typeof data3 === "string"){
if(func2(data3) > 240){
const err10 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/0/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema12.properties.actions.items.oneOf[0].properties.path,data:data3};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(func2(data3) < 1){
const err11 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/0/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema12.properties.actions.items.oneOf[0].properties.path,data:data3};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/0/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[0].properties.path.type,parentSchema:schema12.properties.actions.items.oneOf[0].properties.path,data:data3};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data1.content !== undefined){
let data4 = data1.content;
if(typeof data4 === "string"){
if(func2(data4) > 1200000){
const err13 = {instancePath:instancePath+"/actions/" + i0+"/content",schemaPath:"#/properties/actions/items/oneOf/0/properties/content/maxLength",keyword:"maxLength",params:{limit: 1200000},message:"must NOT have more than 1200000 characters",schema:1200000,parentSchema:schema12.properties.actions.items.oneOf[0].properties.content,data:data4};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/actions/" + i0+"/content",schemaPath:"#/properties/actions/items/oneOf/0/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[0].properties.content.type,parentSchema:schema12.properties.actions.items.oneOf[0].properties.content,data:data4};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
else {
const err15 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/0/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema12.properties.actions.items.oneOf[0].type,parentSchema:schema12.properties.actions.items.oneOf[0],data:data1};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else if(tag0 === "UPDATE_FILE"){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.kind === undefined){
const err16 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/1/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema12.properties.actions.items.oneOf[1].required,parentSchema:schema12.properties.actions.items.oneOf[1],data:data1};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(data1.path === undefined){
const err17 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/1/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema12.properties.actions.items.oneOf[1].required,parentSchema:schema12.properties.actions.items.oneOf[1],data:data1};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(data1.content === undefined){
const err18 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/1/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'",schema:schema12.properties.actions.items.oneOf[1].required,parentSchema:schema12.properties.actions.items.oneOf[1],data:data1};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
for(const key2 in data1){
if(!(((key2 === "kind") || (key2 === "path")) || (key2 === "content"))){
const err19 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties",schema:false,parentSchema:schema12.properties.actions.items.oneOf[1],data:data1};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data1.kind !== undefined){
let data5 = data1.kind;
if(typeof data5 !== "string"){
const err20 = {instancePath:instancePath+"/actions/" + i0+"/kind",schemaPath:"#/properties/actions/items/oneOf/1/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[1].properties.kind.type,parentSchema:schema12.properties.actions.items.oneOf[1].properties.kind,data:data5};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if("UPDATE_FILE" !== data5){
const err21 = {instancePath:instancePath+"/actions/" + i0+"/kind",schemaPath:"#/properties/actions/items/oneOf/1/properties/kind/const",keyword:"const",params:{allowedValue: "UPDATE_FILE"},message:"must be equal to constant",schema:"UPDATE_FILE",parentSchema:schema12.properties.actions.items.oneOf[1].properties.kind,data:data5};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data1.path !== undefined){
let data6 = data1.path;
if(typeof data6 === "string"){
if(func2(data6) > 240){
const err22 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/1/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema12.properties.actions.items.oneOf[1].properties.path,data:data6};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(func2(data6) < 1){
const err23 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/1/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema12.properties.actions.items.oneOf[1].properties.path,data:data6};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/1/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[1].properties.path.type,parentSchema:schema12.properties.actions.items.oneOf[1].properties.path,data:data6};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data1.content !== undefined){
let data7 = data1.content;
if(typeof data7 === "string"){
if(func2(data7) > 1200000){
const err25 = {instancePath:instancePath+"/actions/" + i0+"/content",schemaPath:"#/properties/actions/items/oneOf/1/properties/content/maxLength",keyword:"maxLength",params:{limit: 1200000},message:"must NOT have more than 1200000 characters",schema:1200000,parentSchema:schema12.properties.actions.items.oneOf[1].properties.content,data:data7};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/actions/" + i0+"/content",schemaPath:"#/properties/actions/items/oneOf/1/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[1].properties.content.type,parentSchema:schema12.properties.actions.items.oneOf[1].properties.content,data:data7};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
}
else {
const err27 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/1/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema12.properties.actions.items.oneOf[1].type,parentSchema:schema12.properties.actions.items.oneOf[1],data:data1};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
else if(tag0 === "CREATE_DIR"){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.kind === undefined){
const err28 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/2/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema12.properties.actions.items.oneOf[2].required,parentSchema:schema12.properties.actions.items.oneOf[2],data:data1};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if(data1.path === undefined){
const err29 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/2/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema12.properties.actions.items.oneOf[2].required,parentSchema:schema12.properties.actions.items.oneOf[2],data:data1};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
for(const key3 in data1){
if(!((key3 === "kind") || (key3 === "path"))){
const err30 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/2/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties",schema:false,parentSchema:schema12.properties.actions.items.oneOf[2],data:data1};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data1.kind !== undefined){
let data8 = data1.kind;
if(typeof data8 !== "string"){
const err31 = {instancePath:instancePath+"/actions/" + i0+"/kind",schemaPath:"#/properties/actions/items/oneOf/2/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[2].properties.kind.type,parentSchema:schema12.properties.actions.items.oneOf[2].properties.kind,data:data8};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if("CREATE_DIR" !== data8){
const err32 = {instancePath:instancePath+"/actions/" + i0+"/kind",schemaPath:"#/properties/actions/items/oneOf/2/properties/kind/const",keyword:"const",params:{allowedValue: "CREATE_DIR"},message:"must be equal to constant",schema:"CREATE_DIR",parentSchema:schema12.properties.actions.items.oneOf[2].properties.kind,data:data8};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data1.path !== undefined){
let data9 = data1.path;
if(typeof data9 === "string"){
if(func2(data9) > 240){
const err33 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/2/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema12.properties.actions.items.oneOf[2].properties.path,data:data9};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
if(func2(data9) < 1){
const err34 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/2/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema12.properties.actions.items.oneOf[2].properties.path,data:data9};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
else {
const err35 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/2/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[2].properties.path.type,parentSchema:schema12.properties.actions.items.oneOf[2].properties.path,data:data9};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
}
else {
const err36 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/2/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema12.properties.actions.items.oneOf[2].type,parentSchema:schema12.properties.actions.items.oneOf[2],data:data1};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
else if(tag0 === "DELETE_FILE"){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.kind === undefined){
const err37 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/3/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema12.properties.actions.items.oneOf[3].required,parentSchema:schema12.properties.actions.items.oneOf[3],data:data1};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
if(data1.path === undefined){
const err38 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/3/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema12.properties.actions.items.oneOf[3].required,parentSchema:schema12.properties.actions.items.oneOf[3],data:data1};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
for(const key4 in data1){
if(!((key4 === "kind") || (key4 === "path"))){
const err39 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/3/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties",schema:false,parentSchema:schema12.properties.actions.items.oneOf[3],data:data1};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data1.kind !== undefined){
let data10 = data1.kind;
if(typeof data10 !== "string"){
const err40 = {instancePath:instancePath+"/actions/" + i0+"/kind",schemaPath:"#/properties/actions/items/oneOf/3/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[3].properties.kind.type,parentSchema:schema12.properties.actions.items.oneOf[3].properties.kind,data:data10};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
if("DELETE_FILE" !== data10){
const err41 = {instancePath:instancePath+"/actions/" + i0+"/kind",schemaPath:"#/properties/actions/items/oneOf/3/properties/kind/const",keyword:"const",params:{allowedValue: "DELETE_FILE"},message:"must be equal to constant",schema:"DELETE_FILE",parentSchema:schema12.properties.actions.items.oneOf[3].properties.kind,data:data10};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
if(data1.path !== undefined){
let data11 = data1.path;
if(typeof data11 === "string"){
if(func2(data11) > 240){
const err42 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/3/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema12.properties.actions.items.oneOf[3].properties.path,data:data11};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
if(func2(data11) < 1){
const err43 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/3/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema12.properties.actions.items.oneOf[3].properties.path,data:data11};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
else {
const err44 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/3/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[3].properties.path.type,parentSchema:schema12.properties.actions.items.oneOf[3].properties.path,data:data11};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
}
else {
const err45 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/3/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema12.properties.actions.items.oneOf[3].type,parentSchema:schema12.properties.actions.items.oneOf[3],data:data1};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
else if(tag0 === "DELETE_DIR"){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.kind === undefined){
const err46 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/4/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema12.properties.actions.items.oneOf[4].required,parentSchema:schema12.properties.actions.items.oneOf[4],data:data1};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
if(data1.path === undefined){
const err47 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/4/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema12.properties.actions.items.oneOf[4].required,parentSchema:schema12.properties.actions.items.oneOf[4],data:data1};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
for(const key5 in data1){
if(!((key5 === "kind") || (key5 === "path"))){
const err48 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/4/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5},message:"must NOT have additional properties",schema:false,parentSchema:schema12.properties.actions.items.oneOf[4],data:data1};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
if(data1.kind !== undefined){
let data12 = data1.kind;
if(typeof data12 !== "string"){
const err49 = {instancePath:instancePath+"/actions/" + i0+"/kind",schemaPath:"#/properties/actions/items/oneOf/4/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[4].properties.kind.type,parentSchema:schema12.properties.actions.items.oneOf[4].properties.kind,data:data12};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
if("DELETE_DIR" !== data12){
const err50 = {instancePath:instancePath+"/actions/" + i0+"/kind",schemaPath:"#/properties/actions/items/oneOf/4/properties/kind/const",keyword:"const",params:{allowedValue: "DELETE_DIR"},message:"must be equal to constant",schema:"DELETE_DIR",parentSchema:schema12.properties.actions.items.oneOf[4].properties.kind,data:data12};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
if(data1.path !== undefined){
let data13 = data1.path;
if(typeof data13 === "string"){
if(func2(data13) > 240){
const err51 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/4/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema12.properties.actions.items.oneOf[4].properties.path,data:data13};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
if(func2(data13) < 1){
const err52 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/4/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema12.properties.actions.items.oneOf[4].properties.path,data:data13};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
else {
const err53 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/4/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[4].properties.path.type,parentSchema:schema12.properties.actions.items.oneOf[4].properties.path,data:data13};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
}
else {
const err54 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/4/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema12.properties.actions.items.oneOf[4].type,parentSchema:schema12.properties.actions.items.oneOf[4],data:data1};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
else if(tag0 === "PATCH_FILE"){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.kind === undefined){
const err55 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/5/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema12.properties.actions.items.oneOf[5].required,parentSchema:schema12.properties.actions.items.oneOf[5],data:data1};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
if(data1.path === undefined){
const err56 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/5/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema12.properties.actions.items.oneOf[5].required,parentSchema:schema12.properties.actions.items.oneOf[5],data:data1};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
if(data1.patch === undefined){
const err57 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/5/required",keyword:"required",params:{missingProperty: "patch"},message:"must have required property '"+"patch"+"'",schema:schema12.properties.actions.items.oneOf[5].required,parentSchema:schema12.properties.actions.items.oneOf[5],data:data1};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
if(data1.base_sha256 === undefined){
const err58 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/5/required",keyword:"required",params:{missingProperty: "base_sha256"},message:"must have required property '"+"base_sha256"+"'",schema:schema12.properties.actions.items.oneOf[5].required,parentSchema:schema12.properties.actions.items.oneOf[5],data:data1};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
for(const key6 in data1){
if(!((((key6 === "kind") || (key6 === "path")) || (key6 === "patch")) || (key6 === "base_sha256"))){
const err59 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/5/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6},message:"must NOT have additional properties",schema:false,parentSchema:schema12.properties.actions.items.oneOf[5],data:data1};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
if(data1.kind !== undefined){
let data14 = data1.kind;
if(typeof data14 !== "string"){
const err60 = {instancePath:instancePath+"/actions/" + i0+"/kind",schemaPath:"#/properties/actions/items/oneOf/5/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[5].properties.kind.type,parentSchema:schema12.properties.actions.items.oneOf[5].properties.kind,data:data14};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
if("PATCH_FILE" !== data14){
const err61 = {instancePath:instancePath+"/actions/" + i0+"/kind",schemaPath:"#/properties/actions/items/oneOf/5/properties/kind/const",keyword:"const",params:{allowedValue: "PATCH_FILE"},message:"must be equal to constant",schema:"PATCH_FILE",parentSchema:schema12.properties.actions.items.oneOf[5].properties.kind,data:data14};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
if(data1.path !== undefined){
let data15 = data1.path;
if(typeof data15 === "string"){
if(func2(data15) > 240){
const err62 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/5/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema12.properties.actions.items.oneOf[5].properties.path,data:data15};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
if(func2(data15) < 1){
const err63 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/5/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema12.properties.actions.items.oneOf[5].properties.path,data:data15};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
else {
const err64 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/5/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[5].properties.path.type,parentSchema:schema12.properties.actions.items.oneOf[5].properties.path,data:data15};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
if(data1.patch !== undefined){
let data16 = data1.patch;
if(typeof data16 === "string"){
if(func2(data16) > 1200000){
const err65 = {instancePath:instancePath+"/actions/" + i0+"/patch",schemaPath:"#/properties/actions/items/oneOf/5/properties/patch/maxLength",keyword:"maxLength",params:{limit: 1200000},message:"must NOT have more than 1200000 characters",schema:1200000,parentSchema:schema12.properties.actions.items.oneOf[5].properties.patch,data:data16};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
else {
const err66 = {instancePath:instancePath+"/actions/" + i0+"/patch",schemaPath:"#/properties/actions/items/oneOf/5/properties/patch/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[5].properties.patch.type,parentSchema:schema12.properties.actions.items.oneOf[5].properties.patch,data:data16};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
if(data1.base_sha256 !== undefined){
let data17 = data1.base_sha256;
if(typeof data17 === "string"){
if(!pattern0.test(data17)){
const err67 = {instancePath:instancePath+"/actions/" + i0+"/base_sha256",schemaPath:"#/properties/actions/items/oneOf/5/properties/base_sha256/pattern",keyword:"pattern",params:{pattern: "^[a-f0-9]{64}$"},message:"must match pattern \""+"^[a-f0-9]{64}$"+"\"",schema:"^[a-f0-9]{64}$",parentSchema:schema12.properties.actions.items.oneOf[5].properties.base_sha256,data:data17};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
else {
const err68 = {instancePath:instancePath+"/actions/" + i0+"/base_sha256",schemaPath:"#/properties/actions/items/oneOf/5/properties/base_sha256/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[5].properties.base_sha256.type,parentSchema:schema12.properties.actions.items.oneOf[5].properties.base_sha256,data:data17};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
}
else {
const err69 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/5/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema12.properties.actions.items.oneOf[5].type,parentSchema:schema12.properties.actions.items.oneOf[5],data:data1};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
else if(tag0 === "REPLACE_RANGE"){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.kind === undefined){
const err70 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/6/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema12.properties.actions.items.oneOf[6].required,parentSchema:schema12.properties.actions.items.oneOf[6],data:data1};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
if(data1.path === undefined){
const err71 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/6/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema12.properties.actions.items.oneOf[6].required,parentSchema:schema12.properties.actions.items.oneOf[6],data:data1};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
if(data1.base_sha256 === undefined){
const err72 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/6/required",keyword:"required",params:{missingProperty: "base_sha256"},message:"must have required property '"+"base_sha256"+"'",schema:schema12.properties.actions.items.oneOf[6].required,parentSchema:schema12.properties.actions.items.oneOf[6],data:data1};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
if(data1.start_line === undefined){
const err73 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/6/required",keyword:"required",params:{missingProperty: "start_line"},message:"must have required property '"+"start_line"+"'",schema:schema12.properties.actions.items.oneOf[6].required,parentSchema:schema12.properties.actions.items.oneOf[6],data:data1};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
if(data1.end_line === undefined){
const err74 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/6/required",keyword:"required",params:{missingProperty: "end_line"},message:"must have required property '"+"end_line"+"'",schema:schema12.properties.actions.items.oneOf[6].required,parentSchema:schema12.properties.actions.items.oneOf[6],data:data1};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
if(data1.content === undefined){
const err75 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/6/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'",schema:schema12.properties.actions.items.oneOf[6].required,parentSchema:schema12.properties.actions.items.oneOf[6],data:data1};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
for(const key7 in data1){
if(!((((((key7 === "kind") || (key7 === "path")) || (key7 === "base_sha256")) || (key7 === "start_line")) || (key7 === "end_line")) || (key7 === "content"))){
const err76 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/6/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7},message:"must NOT have additional properties",schema:false,parentSchema:schema12.properties.actions.items.oneOf[6],data:data1};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
}
if(data1.kind !== undefined){
let data18 = data1.kind;
if(typeof data18 !== "string"){
const err77 = {instancePath:instancePath+"/actions/" + i0+"/kind",schemaPath:"#/properties/actions/items/oneOf/6/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[6].properties.kind.type,parentSchema:schema12.properties.actions.items.oneOf[6].properties.kind,data:data18};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
if("REPLACE_RANGE" !== data18){
const err78 = {instancePath:instancePath+"/actions/" + i0+"/kind",schemaPath:"#/properties/actions/items/oneOf/6/properties/kind/const",keyword:"const",params:{allowedValue: "REPLACE_RANGE"},message:"must be equal to constant",schema:"REPLACE_RANGE",parentSchema:schema12.properties.actions.items.oneOf[6].properties.kind,data:data18};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
}
if(data1.path !== undefined){
let data19 = data1.path;
if(typeof data19 === "string"){
if(func2(data19) > 240){
const err79 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/6/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema12.properties.actions.items.oneOf[6].properties.path,data:data19};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
if(func2(data19) < 1){
const err80 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/6/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema12.properties.actions.items.oneOf[6].properties.path,data:data19};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
}
else {
const err81 = {instancePath:instancePath+"/actions/" + i0+"/path",schemaPath:"#/properties/actions/items/oneOf/6/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[6].properties.path.type,parentSchema:schema12.properties.actions.items.oneOf[6].properties.path,data:data19};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
}
if(data1.base_sha256 !== undefined){
let data20 = data1.base_sha256;
if(typeof data20 === "string"){
if(!pattern0.test(data20)){
const err82 = {instancePath:instancePath+"/actions/" + i0+"/base_sha256",schemaPath:"#/properties/actions/items/oneOf/6/properties/base_sha256/pattern",keyword:"pattern",params:{pattern: "^[a-f0-9]{64}$"},message:"must match pattern \""+"^[a-f0-9]{64}$"+"\"",schema:"^[a-f0-9]{64}$",parentSchema:schema12.properties.actions.items.oneOf[6].properties.base_sha256,data:data20};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
}
else {
const err83 = {instancePath:instancePath+"/actions/" + i0+"/base_sha256",schemaPath:"#/properties/actions/items/oneOf/6/properties/base_sha256/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[6].properties.base_sha256.type,parentSchema:schema12.properties.actions.items.oneOf[6].properties.base_sha256,data:data20};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
}
if(data1.start_line !== undefined){
let data21 = data1.start_line;
if(!((typeof data21 == "number") && (!(data21 % 1) && !isNaN(data21)))){
const err84 = {instancePath:instancePath+"/actions/" + i0+"/start_line",schemaPath:"#/properties/actions/items/oneOf/6/properties/start_line/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema12.properties.actions.items.oneOf[6].properties.start_line.type,parentSchema:schema12.properties.actions.items.oneOf[6].properties.start_line,data:data21};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
if(typeof data21 == "number"){
if(data21 < 1 || isNaN(data21)){
const err85 = {instancePath:instancePath+"/actions/" + i0+"/start_line",schemaPath:"#/properties/actions/items/oneOf/6/properties/start_line/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema12.properties.actions.items.oneOf[6].properties.start_line,data:data21};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
}
}
if(data1.end_line !== undefined){
let data22 = data1.end_line;
if(!((typeof data22 == "number") && (!(data22 % 1) && !isNaN(data22)))){
const err86 = {instancePath:instancePath+"/actions/" + i0+"/end_line",schemaPath:"#/properties/actions/items/oneOf/6/properties/end_line/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema12.properties.actions.items.oneOf[6].properties.end_line.type,parentSchema:schema12.properties.actions.items.oneOf[6].properties.end_line,data:data22};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
if(typeof data22 == "number"){
if(data22 < 0 || isNaN(data22)){
const err87 = {instancePath:instancePath+"/actions/" + i0+"/end_line",schemaPath:"#/properties/actions/items/oneOf/6/properties/end_line/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema12.properties.actions.items.oneOf[6].properties.end_line,data:data22};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
}
}
if(data1.content !== undefined){
let data23 = data1.content;
if(typeof data23 === "string"){
if(func2(data23) > 1200000){
const err88 = {instancePath:instancePath+"/actions/" + i0+"/content",schemaPath:"#/properties/actions/items/oneOf/6/properties/content/maxLength",keyword:"maxLength",params:{limit: 1200000},message:"must NOT have more than 1200000 characters",schema:1200000,parentSchema:schema12.properties.actions.items.oneOf[6].properties.content,data:data23};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
}
else {
const err89 = {instancePath:instancePath+"/actions/" + i0+"/content",schemaPath:"#/properties/actions/items/oneOf/6/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.actions.items.oneOf[6].properties.content.type,parentSchema:schema12.properties.actions.items.oneOf[6].properties.content,data:data23};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
}
}
else {
const err90 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/oneOf/6/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema12.properties.actions.items.oneOf[6].type,parentSchema:schema12.properties.actions.items.oneOf[6],data:data1};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
}
else {
const err91 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "kind", tagValue: tag0},message:"value of tag \"kind\" must be in oneOf",schema:schema12.properties.actions.items.discriminator,parentSchema:schema12.properties.actions.items,data:data1};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
}
else {
const err92 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/discriminator",keyword:"discriminator",params:{error: "tag", tag: "kind", tagValue: tag0},message:"tag \"kind\" must be string",schema:schema12.properties.actions.items.discriminator,parentSchema:schema12.properties.actions.items,data:data1};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
}
else {
const err93 = {instancePath:instancePath+"/actions/" + i0,schemaPath:"#/properties/actions/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema12.properties.actions.items.type,parentSchema:schema12.properties.actions.items,data:data1};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
}
}
else {
const err94 = {instancePath:instancePath+"/actions",schemaPath:"#/properties/actions/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema12.properties.actions.type,parentSchema:schema12.properties.actions,data:data0};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
}
if(data.summary !== undefined){
let data24 = data.summary;
if(typeof data24 === "string"){
if(func2(data24) > 8000){
const err95 = {instancePath:instancePath+"/summary",schemaPath:"#/properties/summary/maxLength",keyword:"maxLength",params:{limit: 8000},message:"must NOT have more than 8000 characters",schema:8000,parentSchema:schema12.properties.summary,data:data24};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
}
else {
const err96 = {instancePath:instancePath+"/summary",schemaPath:"#/properties/summary/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.summary.type,parentSchema:schema12.properties.summary,data:data24};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
}
if(data.context_requests !== undefined){
let data25 = data.context_requests;
if(Array.isArray(data25)){
if(data25.length > 64){
const err97 = {instancePath:instancePath+"/context_requests",schemaPath:"#/properties/context_requests/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items",schema:64,parentSchema:schema12.properties.context_requests,data:data25};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
const len1 = data25.length;
for(let i1=0; i1<len1; i1++){
let data26 = data25[i1];
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
if(data26.type === undefined){
const err98 = {instancePath:instancePath+"/context_requests/" + i1,schemaPath:"#/properties/context_requests/items/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'",schema:schema12.properties.context_requests.items.required,parentSchema:schema12.properties.context_requests.items,data:data26};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
const tag1 = data26.type;
if(typeof tag1 == "string"){
if(tag1 === "read_file"){
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
if(data26.type === undefined){
const err99 = {instancePath:instancePath+"/context_requests/" + i1,schemaPath:"#/properties/context_requests/items/oneOf/0/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'",schema:schema12.properties.context_requests.items.oneOf[0].required,parentSchema:schema12.properties.context_requests.items.oneOf[0],data:data26};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
if(data26.path === undefined){
const err100 = {instancePath:instancePath+"/context_requests/" + i1,schemaPath:"#/properties/context_requests/items/oneOf/0/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema12.properties.context_requests.items.oneOf[0].required,parentSchema:schema12.properties.context_requests.items.oneOf[0],data:data26};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
for(const key8 in data26){
if(!((((key8 === "type") || (key8 === "path")) || (key8 === "start_line")) || (key8 === "end_line"))){
const err101 = {instancePath:instancePath+"/context_requests/" + i1,schemaPath:"#/properties/context_requests/items/oneOf/0/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key8},message:"must NOT have additional properties",schema:false,parentSchema:schema12.properties.context_requests.items.oneOf[0],data:data26};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
}
if(data26.type !== undefined){
let data27 = data26.type;
if(typeof data27 !== "string"){
const err102 = {instancePath:instancePath+"/context_requests/" + i1+"/type",schemaPath:"#/properties/context_requests/items/oneOf/0/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.context_requests.items.oneOf[0].properties.type.type,parentSchema:schema12.properties.context_requests.items.oneOf[0].properties.type,data:data27};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
if("read_file" !== data27){
const err103 = {instancePath:instancePath+"/context_requests/" + i1+"/type",schemaPath:"#/properties/context_requests/items/oneOf/0/properties/type/const",keyword:"const",params:{allowedValue: "read_file"},message:"must be equal to constant",schema:"read_file",parentSchema:schema12.properties.context_requests.items.oneOf[0].properties.type,data:data27};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
}
if(data26.path !== undefined){
let data28 = data26.path;
if(typeof data28 === "string"){
if(func2(data28) > 240){
const err104 = {instancePath:instancePath+"/context_requests/" + i1+"/path",schemaPath:"#/properties/context_requests/items/oneOf/0/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema12.properties.context_requests.items.oneOf[0].properties.path,data:data28};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
if(func2(data28) < 1){
const err105 = {instancePath:instancePath+"/context_requests/" + i1+"/path",schemaPath:"#/properties/context_requests/items/oneOf/0/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema12.properties.context_requests.items.oneOf[0].properties.path,data:data28};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
}
else {
const err106 = {instancePath:instancePath+"/context_requests/" + i1+"/path",schemaPath:"#/properties/context_requests/items/oneOf/0/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.context_requests.items.oneOf[0].properties.path.type,parentSchema:schema12.properties.context_requests.items.oneOf[0].properties.path,data:data28};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
}
if(data26.start_line !== undefined){
let data29 = data26.start_line;
if(!((typeof data29 == "number") && (!(data29 % 1) && !isNaN(data29)))){
const err107 = {instancePath:instancePath+"/context_requests/" + i1+"/start_line",schemaPath:"#/properties/context_requests/items/oneOf/0/properties/start_line/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema12.properties.context_requests.items.oneOf[0].properties.start_line.type,parentSchema:schema12.properties.context_requests.items.oneOf[0].properties.start_line,data:data29};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
}
if(typeof data29 == "number"){
if(data29 < 1 || isNaN(data29)){
const err108 = {instancePath:instancePath+"/context_requests/" + i1+"/start_line",schemaPath:"#/properties/context_requests/items/oneOf/0/properties/start_line/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema12.properties.context_requests.items.oneOf[0].properties.start_line,data:data29};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
}
}
if(data26.end_line !== undefined){
let data30 = data26.end_line;
if(!((typeof data30 == "number") && (!(data30 % 1) && !isNaN(data30)))){
const err109 = {instancePath:instancePath+"/context_requests/" + i1+"/end_line",schemaPath:"#/properties/context_requests/items/oneOf/0/properties/end_line/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema12.properties.context_requests.items.oneOf[0].properties.end_line.type,parentSchema:schema12.properties.context_requests.items.oneOf[0].properties.end_line,data:data30};
if(vErrors === null){
vErrors = [err109];
}
else {
vErrors.push(err109);
}
errors++;
}
if(typeof data30 == "number"){
if(data30 < 1 || isNaN(data30)){
const err110 = {instancePath:instancePath+"/context_requests/" + i1+"/end_line",schemaPath:"#/properties/context_requests/items/oneOf/0/properties/end_line/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema12.properties.context_requests.items.oneOf[0].properties.end_line,data:data30};
if(vErrors === null){
vErrors = [err110];
}
else {
vErrors.push(err110);
}
errors++;
}
}
}
}
else {
const err111 = {instancePath:instancePath+"/context_requests/" + i1,schemaPath:"#/properties/context_requests/items/oneOf/0/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema12.properties.context_requests.items.oneOf[0].type,parentSchema:schema12.properties.context_requests.items.oneOf[0],data:data26};
if(vErrors === null){
vErrors = [err111];
}
else {
vErrors.push(err111);
}
errors++;
}
}
else if(tag1 === "search"){
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
if(data26.type === undefined){
const err112 = {instancePath:instancePath+"/context_requests/" + i1,schemaPath:"#/properties/context_requests/items/oneOf/1/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'",schema:schema12.properties.context_requests.items.oneOf[1].required,parentSchema:schema12.properties.context_requests.items.oneOf[1],data:data26};
if(vErrors === null){
vErrors = [err112];
}
else {
vErrors.push(err112);
}
errors++;
}
if(data26.query === undefined){
const err113 = {instancePath:instancePath+"/context_requests/" + i1,schemaPath:"#/properties/context_requests/items/oneOf/1/required",keyword:"required",params:{missingProperty: "query"},message:"must have required property '"+"query"+"'",schema:schema12.properties.context_requests.items.oneOf[1].required,parentSchema:schema12.properties.context_requests.items.oneOf[1],data:data26};
if(vErrors === null){
vErrors = [err113];
}
else {
vErrors.push(err113);
}
errors++;
}
for(const key9 in data26){
if(!(((key9 === "type") || (key9 === "query")) || (key9 === "glob"))){
const err114 = {instancePath:instancePath+"/context_requests/" + i1,schemaPath:"#/properties/context_requests/items/oneOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key9},message:"must NOT have additional properties",schema:false,parentSchema:schema12.properties.context_requests.items.oneOf[1],data:data26};
if(vErrors === null){
vErrors = [err114];
}
else {
vErrors.push(err114);
}
errors++;
}
}
if(data26.type !== undefined){
let data31 = data26.type;
if(typeof data31 !== "string"){
const err115 = {instancePath:instancePath+"/context_requests/" + i1+"/type",schemaPath:"#/properties/context_requests/items/oneOf/1/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.context_requests.items.oneOf[1].properties.type.type,parentSchema:schema12.properties.context_requests.items.oneOf[1].properties.type,data:data31};
if(vErrors === null){
vErrors = [err115];
}
else {
vErrors.push(err115);
}
errors++;
}
if("search" !== data31){
const err116 = {instancePath:instancePath+"/context_requests/" + i1+"/type",schemaPath:"#/properties/context_requests/items/oneOf/1/properties/type/const",keyword:"const",params:{allowedValue: "search"},message:"must be equal to constant",schema:"search",parentSchema:schema12.properties.context_requests.items.oneOf[1].properties.type,data:data31};
if(vErrors === null){
vErrors = [err116];
}
else {
vErrors.push(err116);
}
errors++;
}
}
if(data26.query !== undefined){
let data32 = data26.query;
if(typeof data32 === "string"){
if(func2(data32) > 2000){
const err117 = {instancePath:instancePath+"/context_requests/" + i1+"/query",schemaPath:"#/properties/context_requests/items/oneOf/1/properties/query/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema12.properties.context_requests.items.oneOf[1].properties.query,data:data32};
if(vErrors === null){
vErrors = [err117];
}
else {
vErrors.push(err117);
}
errors++;
}
if(func2(data32) < 1){
const err118 = {instancePath:instancePath+"/context_requests/" + i1+"/query",schemaPath:"#/properties/context_requests/items/oneOf/1/properties/query/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema12.properties.context_requests.items.oneOf[1].properties.query,data:data32};
if(vErrors === null){
vErrors = [err118];
}
else {
vErrors.push(err118);
}
errors++;
}
}
else {
const err119 = {instancePath:instancePath+"/context_requests/" + i1+"/query",schemaPath:"#/properties/context_requests/items/oneOf/1/properties/query/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.context_requests.items.oneOf[1].properties.query.type,parentSchema:schema12.properties.context_requests.items.oneOf[1].properties.query,data:data32};
if(vErrors === null){
vErrors = [err119];
}
else {
vErrors.push(err119);
}
errors++;
}
}
if(data26.glob !== undefined){
let data33 = data26.glob;
if(typeof data33 === "string"){
if(func2(data33) > 512){
const err120 = {instancePath:instancePath+"/context_requests/" + i1+"/glob",schemaPath:"#/properties/context_requests/items/oneOf/1/properties/glob/maxLength",keyword:"maxLength",params:{limit: 512},message:"must NOT have more than 512 characters",schema:512,parentSchema:schema12.properties.context_requests.items.oneOf[1].properties.glob,data:data33};
if(vErrors === null){
vErrors = [err120];
}
else {
vErrors.push(err120);
}
errors++;
}
if(func2(data33) < 1){
const err121 = {instancePath:instancePath+"/context_requests/" + i1+"/glob",schemaPath:"#/properties/context_requests/items/oneOf/1/properties/glob/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema12.properties.context_requests.items.oneOf[1].properties.glob,data:data33};
if(vErrors === null){
vErrors = [err121];
}
else {
vErrors.push(err121);
}
errors++;
}
}
else {
const err122 = {instancePath:instancePath+"/context_requests/" + i1+"/glob",schemaPath:"#/properties/context_requests/items/oneOf/1/properties/glob/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.context_requests.items.oneOf[1].properties.glob.type,parentSchema:schema12.properties.context_requests.items.oneOf[1].properties.glob,data:data33};
if(vErrors === null){
vErrors = [err122];
}
else {
vErrors.push(err122);
}
errors++;
}
}
}
else {
const err123 = {instancePath:instancePath+"/context_requests/" + i1,schemaPath:"#/properties/context_requests/items/oneOf/1/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema12.properties.context_requests.items.oneOf[1].type,parentSchema:schema12.properties.context_requests.items.oneOf[1],data:data26};
if(vErrors === null){
vErrors = [err123];
}
else {
vErrors.push(err123);
}
errors++;
}
}
else if(tag1 === "logs"){
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
if(data26.type === undefined){
const err124 = {instancePath:instancePath+"/context_requests/" + i1,schemaPath:"#/properties/context_requests/items/oneOf/2/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'",schema:schema12.properties.context_requests.items.oneOf[2].required,parentSchema:schema12.properties.context_requests.items.oneOf[2],data:data26};
if(vErrors === null){
vErrors = [err124];
}
else {
vErrors.push(err124);
}
errors++;
}
if(data26.source === undefined){
const err125 = {instancePath:instancePath+"/context_requests/" + i1,schemaPath:"#/properties/context_requests/items/oneOf/2/required",keyword:"required",params:{missingProperty: "source"},message:"must have required property '"+"source"+"'",schema:schema12.properties.context_requests.items.oneOf[2].required,parentSchema:schema12.properties.context_requests.items.oneOf[2],data:data26};
if(vErrors === null){
vErrors = [err125];
}
else {
vErrors.push(err125);
}
errors++;
}
for(const key10 in data26){
if(!(((key10 === "type") || (key10 === "source")) || (key10 === "last_n"))){
const err126 = {instancePath:instancePath+"/context_requests/" + i1,schemaPath:"#/properties/context_requests/items/oneOf/2/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key10},message:"must NOT have additional properties",schema:false,parentSchema:schema12.properties.context_requests.items.oneOf[2],data:data26};
if(vErrors === null){
vErrors = [err126];
}
else {
vErrors.push(err126);
}
errors++;
}
}
if(data26.type !== undefined){
let data34 = data26.type;
if(typeof data34 !== "string"){
const err127 = {instancePath:instancePath+"/context_requests/" + i1+"/type",schemaPath:"#/properties/context_requests/items/oneOf/2/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.context_requests.items.oneOf[2].properties.type.type,parentSchema:schema12.properties.context_requests.items.oneOf[2].properties.type,data:data34};
if(vErrors === null){
vErrors = [err127];
}
else {
vErrors.push(err127);
}
errors++;
}
if("logs" !== data34){
const err128 = {instancePath:instancePath+"/context_requests/" + i1+"/type",schemaPath:"#/properties/context_requests/items/oneOf/2/properties/type/const",keyword:"const",params:{allowedValue: "logs"},message:"must be equal to constant",schema:"logs",parentSchema:schema12.properties.context_requests.items.oneOf[2].properties.type,data:data34};
if(vErrors === null){
vErrors = [err128];
}
else {
vErrors.push(err128);
}
errors++;
}
}
if(data26.source !== undefined){
let data35 = data26.source;
if(typeof data35 === "string"){
if(func2(data35) > 200){
const err129 = {instancePath:instancePath+"/context_requests/" + i1+"/source",schemaPath:"#/properties/context_requests/items/oneOf/2/properties/source/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters",schema:200,parentSchema:schema12.properties.context_requests.items.oneOf[2].properties.source,data:data35};
if(vErrors === null){
vErrors = [err129];
}
else {
vErrors.push(err129);
}
errors++;
}
if(func2(data35) < 1){
const err130 = {instancePath:instancePath+"/context_requests/" + i1+"/source",schemaPath:"#/properties/context_requests/items/oneOf/2/properties/source/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema12.properties.context_requests.items.oneOf[2].properties.source,data:data35};
if(vErrors === null){
vErrors = [err130];
}
else {
vErrors.push(err130);
}
errors++;
}
}
else {
const err131 = {instancePath:instancePath+"/context_requests/" + i1+"/source",schemaPath:"#/properties/context_requests/items/oneOf/2/properties/source/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.context_requests.items.oneOf[2].properties.source.type,parentSchema:schema12.properties.context_requests.items.oneOf[2].properties.source,data:data35};
if(vErrors === null){
vErrors = [err131];
}
else {
vErrors.push(err131);
}
errors++;
}
}
if(data26.last_n !== undefined){
let data36 = data26.last_n;
if(!((typeof data36 == "number") && (!(data36 % 1) && !isNaN(data36)))){
const err132 = {instancePath:instancePath+"/context_requests/" + i1+"/last_n",schemaPath:"#/properties/context_requests/items/oneOf/2/properties/last_n/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema12.properties.context_requests.items.oneOf[2].properties.last_n.type,parentSchema:schema12.properties.context_requests.items.oneOf[2].properties.last_n,data:data36};
if(vErrors === null){
vErrors = [err132];
}
else {
vErrors.push(err132);
}
errors++;
}
if(typeof data36 == "number"){
if(data36 > 5000 || isNaN(data36)){
const err133 = {instancePath:instancePath+"/context_requests/" + i1+"/last_n",schemaPath:"#/properties/context_requests/items/oneOf/2/properties/last_n/maximum",keyword:"maximum",params:{comparison: "<=", limit: 5000},message:"must be <= 5000",schema:5000,parentSchema:schema12.properties.context_requests.items.oneOf[2].properties.last_n,data:data36};
if(vErrors === null){
vErrors = [err133];
}
else {
vErrors.push(err133);
}
errors++;
}
if(data36 < 1 || isNaN(data36)){
const err134 = {instancePath:instancePath+"/context_requests/" + i1+"/last_n",schemaPath:"#/properties/context_requests/items/oneOf/2/properties/last_n/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema12.properties.context_requests.items.oneOf[2].properties.last_n,data:data36};
if(vErrors === null){
vErrors = [err134];
}
else {
vErrors.push(err134);
}
errors++;
}
}
}
}
else {
const err135 = {instancePath:instancePath+"/context_requests/" + i1,schemaPath:"#/properties/context_requests/items/oneOf/2/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema12.properties.context_requests.items.oneOf[2].type,parentSchema:schema12.properties.context_requests.items.oneOf[2],data:data26};
if(vErrors === null){
vErrors = [err135];
}
else {
vErrors.push(err135);
}
errors++;
}
}
else if(tag1 === "env"){
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
if(data26.type === undefined){
const err136 = {instancePath:instancePath+"/context_requests/" + i1,schemaPath:"#/properties/context_requests/items/oneOf/3/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'",schema:schema12.properties.context_requests.items.oneOf[3].required,parentSchema:schema12.properties.context_requests.items.oneOf[3],data:data26};
if(vErrors === null){
vErrors = [err136];
}
else {
vErrors.push(err136);
}
errors++;
}
for(const key11 in data26){
if(!(key11 === "type")){
const err137 = {instancePath:instancePath+"/context_requests/" + i1,schemaPath:"#/properties/context_requests/items/oneOf/3/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key11},message:"must NOT have additional properties",schema:false,parentSchema:schema12.properties.context_requests.items.oneOf[3],data:data26};
if(vErrors === null){
vErrors = [err137];
}
else {
vErrors.push(err137);
}
errors++;
}
}
if(data26.type !== undefined){
let data37 = data26.type;
if(typeof data37 !== "string"){
const err138 = {instancePath:instancePath+"/context_requests/" + i1+"/type",schemaPath:"#/properties/context_requests/items/oneOf/3/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.context_requests.items.oneOf[3].properties.type.type,parentSchema:schema12.properties.context_requests.items.oneOf[3].properties.type,data:data37};
if(vErrors === null){
vErrors = [err138];
}
else {
vErrors.push(err138);
}
errors++;
}
if("env" !== data37){
const err139 = {instancePath:instancePath+"/context_requests/" + i1+"/type",schemaPath:"#/properties/context_requests/items/oneOf/3/properties/type/const",keyword:"const",params:{allowedValue: "env"},message:"must be equal to constant",schema:"env",parentSchema:schema12.properties.context_requests.items.oneOf[3].properties.type,data:data37};
if(vErrors === null){
vErrors = [err139];
}
else {
vErrors.push(err139);
}
errors++;
}
}
}
else {
const err140 = {instancePath:instancePath+"/context_requests/" + i1,schemaPath:"#/properties/context_requests/items/oneOf/3/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema12.properties.context_requests.items.oneOf[3].type,parentSchema:schema12.properties.context_requests.items.oneOf[3],data:data26};
if(vErrors === null){
vErrors = [err140];
}
else {
vErrors.push(err140);
}
errors++;
}
}
else {
const err141 = {instancePath:instancePath+"/context_requests/" + i1,schemaPath:"#/properties/context_requests/items/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "type", tagValue: tag1},message:"value of tag \"type\" must be in oneOf",schema:schema12.properties.context_requests.items.discriminator,parentSchema:schema12.properties.context_requests.items,data:data26};
if(vErrors === null){
vErrors = [err141];
}
else {
vErrors.push(err141);
}
errors++;
}
}
else {
const err142 = {instancePath:instancePath+"/context_requests/" + i1,schemaPath:"#/properties/context_requests/items/discriminator",keyword:"discriminator",params:{error: "tag", tag: "type", tagValue: tag1},message:"tag \"type\" must be string",schema:schema12.properties.context_requests.items.discriminator,parentSchema:schema12.properties.context_requests.items,data:data26};
if(vErrors === null){
vErrors = [err142];
}
else {
vErrors.push(err142);
}
errors++;
}
}
else {
const err143 = {instancePath:instancePath+"/context_requests/" + i1,schemaPath:"#/properties/context_requests/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema12.properties.context_requests.items.type,parentSchema:schema12.properties.context_requests.items,data:data26};
if(vErrors === null){
vErrors = [err143];
}
else {
vErrors.push(err143);
}
errors++;
}
}
}
else {
const err144 = {instancePath:instancePath+"/context_requests",schemaPath:"#/properties/context_requests/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema12.properties.context_requests.type,parentSchema:schema12.properties.context_requests,data:data25};
if(vErrors === null){
vErrors = [err144];
}
else {
vErrors.push(err144);
}
errors++;
}
}
if(data.memory_patch !== undefined){
let data38 = data.memory_patch;
if(data38 && typeof data38 == "object" && !Array.isArray(data38)){
for(const key12 in data38){
if(!(func29.call(schema12.properties.memory_patch.properties, key12))){
const err145 = {instancePath:instancePath+"/memory_patch",schemaPath:"#/properties/memory_patch/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key12},message:"must NOT have additional properties",schema:false,parentSchema:schema12.properties.memory_patch,data:data38};
if(vErrors === null){
vErrors = [err145];
}
else {
vErrors.push(err145);
}
errors++;
}
}
if(data38["user.preferred_style"] !== undefined){
let data39 = data38["user.preferred_style"];
if(typeof data39 === "string"){
if(func2(data39) > 2000){
const err146 = {instancePath:instancePath+"/memory_patch/user.preferred_style",schemaPath:"#/properties/memory_patch/properties/user.preferred_style/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema12.properties.memory_patch.properties["user.preferred_style"],data:data39};
if(vErrors === null){
vErrors = [err146];
}
else {
vErrors.push(err146);
}
errors++;
}
}
else {
const err147 = {instancePath:instancePath+"/memory_patch/user.preferred_style",schemaPath:"#/properties/memory_patch/properties/user.preferred_style/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.memory_patch.properties["user.preferred_style"].type,parentSchema:schema12.properties.memory_patch.properties["user.preferred_style"],data:data39};
if(vErrors === null){
vErrors = [err147];
}
else {
vErrors.push(err147);
}
errors++;
}
}
if(data38["user.ask_budget"] !== undefined){
let data40 = data38["user.ask_budget"];
const _errs119 = errors;
let valid30 = false;
const _errs120 = errors;
if(!((typeof data40 == "number") && (!(data40 % 1) && !isNaN(data40)))){
const err148 = {instancePath:instancePath+"/memory_patch/user.ask_budget",schemaPath:"#/properties/memory_patch/properties/user.ask_budget/anyOf/0/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema12.properties.memory_patch.properties["user.ask_budget"].anyOf[0].type,parentSchema:schema12.properties.memory_patch.properties["user.ask_budget"].anyOf[0],data:data40};
if(vErrors === null){
vErrors = [err148];
}
else {
vErrors.push(err148);
}
errors++;
}
if(typeof data40 == "number"){
if(data40 < 0 || isNaN(data40)){
const err149 = {instancePath:instancePath+"/memory_patch/user.ask_budget",schemaPath:"#/properties/memory_patch/properties/user.ask_budget/anyOf/0/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema12.properties.memory_patch.properties["user.ask_budget"].anyOf[0],data:data40};
if(vErrors === null){
vErrors = [err149];
}
else {
vErrors.push(err149);
}
errors++;
}
}
var _valid0 = _errs120 === errors;
valid30 = valid30 || _valid0;
if(!valid30){
const _errs122 = errors;
if(typeof data40 === "string"){
if(!pattern2.test(data40)){
const err150 = {instancePath:instancePath+"/memory_patch/user.ask_budget",schemaPath:"#/properties/memory_patch/properties/user.ask_budget/anyOf/1/pattern",keyword:"pattern",params:{pattern: "^[0-9]{1,9}$"},message:"must match pattern \""+"^[0-9]{1,9}$"+"\"",schema:"^[0-9]{1,9}$",parentSchema:schema12.properties.memory_patch.properties["user.ask_budget"].anyOf[1],data:data40};
if(vErrors === null){
vErrors = [err150];
}
else {
vErrors.push(err150);
}
errors++;
}
}
else {
const err151 = {instancePath:instancePath+"/memory_patch/user.ask_budget",schemaPath:"#/properties/memory_patch/properties/user.ask_budget/anyOf/1/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.memory_patch.properties["user.ask_budget"].anyOf[1].type,parentSchema:schema12.properties.memory_patch.properties["user.ask_budget"].anyOf[1],data:data40};
if(vErrors === null){
vErrors = [err151];
}
else {
vErrors.push(err151);
}
errors++;
}
var _valid0 = _errs122 === errors;
valid30 = valid30 || _valid0;
}
if(!valid30){
const err152 = {instancePath:instancePath+"/memory_patch/user.ask_budget",schemaPath:"#/properties/memory_patch/properties/user.ask_budget/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf",schema:schema12.properties.memory_patch.properties["user.ask_budget"].anyOf,parentSchema:schema12.properties.memory_patch.properties["user.ask_budget"],data:data40};
if(vErrors === null){
vErrors = [err152];
}
else {
vErrors.push(err152);
}
errors++;
}
else {
errors = _errs119;
if(vErrors !== null){
if(_errs119){
vErrors.length = _errs119;
}
else {
vErrors = null;
}
}
}
}
if(data38["user.risk_tolerance"] !== undefined){
let data41 = data38["user.risk_tolerance"];
if(typeof data41 === "string"){
if(func2(data41) > 2000){
const err153 = {instancePath:instancePath+"/memory_patch/user.risk_tolerance",schemaPath:"#/properties/memory_patch/properties/user.risk_tolerance/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema12.properties.memory_patch.properties["user.risk_tolerance"],data:data41};
if(vErrors === null){
vErrors = [err153];
}
else {
vErrors.push(err153);
}
errors++;
}
}
else {
const err154 = {instancePath:instancePath+"/memory_patch/user.risk_tolerance",schemaPath:"#/properties/memory_patch/properties/user.risk_tolerance/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.memory_patch.properties["user.risk_tolerance"].type,parentSchema:schema12.properties.memory_patch.properties["user.risk_tolerance"],data:data41};
if(vErrors === null){
vErrors = [err154];
}
else {
vErrors.push(err154);
}
errors++;
}
}
if(data38["user.default_language"] !== undefined){
let data42 = data38["user.default_language"];
if(typeof data42 === "string"){
if(func2(data42) > 2000){
const err155 = {instancePath:instancePath+"/memory_patch/user.default_language",schemaPath:"#/properties/memory_patch/properties/user.default_language/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema12.properties.memory_patch.properties["user.default_language"],data:data42};
if(vErrors === null){
vErrors = [err155];
}
else {
vErrors.push(err155);
}
errors++;
}
}
else {
const err156 = {instancePath:instancePath+"/memory_patch/user.default_language",schemaPath:"#/properties/memory_patch/properties/user.default_language/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.memory_patch.properties["user.default_language"].type,parentSchema:schema12.properties.memory_patch.properties["user.default_language"],data:data42};
if(vErrors === null){
vErrors = [err156];
}
else {
vErrors.push(err156);
}
errors++;
}
}
if(data38["user.output_format"] !== undefined){
let data43 = data38["user.output_format"];
if(typeof data43 === "string"){
if(func2(data43) > 2000){
const err157 = {instancePath:instancePath+"/memory_patch/user.output_format",schemaPath:"#/properties/memory_patch/properties/user.output_format/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema12.properties.memory_patch.properties["user.output_format"],data:data43};
if(vErrors === null){
vErrors = [err157];
}
else {
vErrors.push(err157);
}
errors++;
}
}
else {
const err158 = {instancePath:instancePath+"/memory_patch/user.output_format",schemaPath:"#/properties/memory_patch/properties/user.output_format/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.memory_patch.properties["user.output_format"].type,parentSchema:schema12.properties.memory_patch.properties["user.output_format"],data:data43};
if(vErrors === null){
vErrors = [err158];
}
else {
vErrors.push(err158);
}
errors++;
}
}
if(data38["project.default_test_command"] !== undefined){
let data44 = data38["project.default_test_command"];
if(typeof data44 === "string"){
if(func2(data44) > 2000){
const err159 = {instancePath:instancePath+"/memory_patch/project.default_test_command",schemaPath:"#/properties/memory_patch/properties/project.default_test_command/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema12.properties.memory_patch.properties["project.default_test_command"],data:data44};
if(vErrors === null){
vErrors = [err159];
}
else {
vErrors.push(err159);
}
errors++;
}
}
else {
const err160 = {instancePath:instancePath+"/memory_patch/project.default_test_command",schemaPath:"#/properties/memory_patch/properties/project.default_test_command/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.memory_patch.properties["project.default_test_command"].type,parentSchema:schema12.properties.memory_patch.properties["project.default_test_command"],data:data44};
if(vErrors === null){
vErrors = [err160];
}
else {
vErrors.push(err160);
}
errors++;
}
}
if(data38["project.default_lint_command"] !== undefined){
let data45 = data38["project.default_lint_command"];
if(typeof data45 === "string"){
if(func2(data45) > 2000){
const err161 = {instancePath:instancePath+"/memory_patch/project.default_lint_command",schemaPath:"#/properties/memory_patch/properties/project.default_lint_command/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema12.properties.memory_patch.properties["project.default_lint_command"],data:data45};
if(vErrors === null){
vErrors = [err161];
}
else {
vErrors.push(err161);
}
errors++;
}
}
else {
const err162 = {instancePath:instancePath+"/memory_patch/project.default_lint_command",schemaPath:"#/properties/memory_patch/properties/project.default_lint_command/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.memory_patch.properties["project.default_lint_command"].type,parentSchema:schema12.properties.memory_patch.properties["project.default_lint_command"],data:data45};
if(vErrors === null){
vErrors = [err162];
}
else {
vErrors.push(err162);
}
errors++;
}
}
if(data38["project.default_format_command"] !== undefined){
let data46 = data38["project.default_format_command"];
if(typeof data46 === "string"){
if(func2(data46) > 2000){
const err163 = {instancePath:instancePath+"/memory_patch/project.default_format_command",schemaPath:"#/properties/memory_patch/properties/project.default_format_command/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema12.properties.memory_patch.properties["project.default_format_command"],data:data46};
if(vErrors === null){
vErrors = [err163];
}
else {
vErrors.push(err163);
}
errors++;
}
}
else {
const err164 = {instancePath:instancePath+"/memory_patch/project.default_format_command",schemaPath:"#/properties/memory_patch/properties/project.default_format_command/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.memory_patch.properties["project.default_format_command"].type,parentSchema:schema12.properties.memory_patch.properties["project.default_format_command"],data:data46};
if(vErrors === null){
vErrors = [err164];
}
else {
vErrors.push(err164);
}
errors++;
}
}
if(data38["project.package_manager"] !== undefined){
let data47 = data38["project.package_manager"];
if(typeof data47 === "string"){
if(func2(data47) > 2000){
const err165 = {instancePath:instancePath+"/memory_patch/project.package_manager",schemaPath:"#/properties/memory_patch/properties/project.package_manager/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema12.properties.memory_patch.properties["project.package_manager"],data:data47};
if(vErrors === null){
vErrors = [err165];
}
else {
vErrors.push(err165);
}
errors++;
}
}
else {
const err166 = {instancePath:instancePath+"/memory_patch/project.package_manager",schemaPath:"#/properties/memory_patch/properties/project.package_manager/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.memory_patch.properties["project.package_manager"].type,parentSchema:schema12.properties.memory_patch.properties["project.package_manager"],data:data47};
if(vErrors === null){
vErrors = [err166];
}
else {
vErrors.push(err166);
}
errors++;
}
}
if(data38["project.build_command"] !== undefined){
let data48 = data38["project.build_command"];
if(typeof data48 === "string"){
if(func2(data48) > 2000){
const err167 = {instancePath:instancePath+"/memory_patch/project.build_command",schemaPath:"#/properties/memory_patch/properties/project.build_command/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema12.properties.memory_patch.properties["project.build_command"],data:data48};
if(vErrors === null){
vErrors = [err167];
}
else {
vErrors.push(err167);
}
errors++;
}
}
else {
const err168 = {instancePath:instancePath+"/memory_patch/project.build_command",schemaPath:"#/properties/memory_patch/properties/project.build_command/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.memory_patch.properties["project.build_command"].type,parentSchema:schema12.properties.memory_patch.properties["project.build_command"],data:data48};
if(vErrors === null){
vErrors = [err168];
}
else {
vErrors.push(err168);
}
errors++;
}
}
if(data38["project.src_roots"] !== undefined){
let data49 = data38["project.src_roots"];
if(Array.isArray(data49)){
if(data49.length > 64){
const err169 = {instancePath:instancePath+"/memory_patch/project.src_roots",schemaPath:"#/properties/memory_patch/properties/project.src_roots/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items",schema:64,parentSchema:schema12.properties.memory_patch.properties["project.src_roots"],data:data49};
if(vErrors === null){
vErrors = [err169];
}
else {
vErrors.push(err169);
}
errors++;
}
const len2 = data49.length;
for(let i2=0; i2<len2; i2++){
let data50 = data49[i2];
if(typeof data50 === "string"){
if(func2(data50) > 240){
const err170 = {instancePath:instancePath+"/memory_patch/project.src_roots/" + i2,schemaPath:"#/properties/memory_patch/properties/project.src_roots/items/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema12.properties.memory_patch.properties["project.src_roots"].items,data:data50};
if(vErrors === null){
vErrors = [err170];
}
else {
vErrors.push(err170);
}
errors++;
}
if(func2(data50) < 1){
const err171 = {instancePath:instancePath+"/memory_patch/project.src_roots/" + i2,schemaPath:"#/properties/memory_patch/properties/project.src_roots/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema12.properties.memory_patch.properties["project.src_roots"].items,data:data50};
if(vErrors === null){
vErrors = [err171];
}
else {
vErrors.push(err171);
}
errors++;
}
}
else {
const err172 = {instancePath:instancePath+"/memory_patch/project.src_roots/" + i2,schemaPath:"#/properties/memory_patch/properties/project.src_roots/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.memory_patch.properties["project.src_roots"].items.type,parentSchema:schema12.properties.memory_patch.properties["project.src_roots"].items,data:data50};
if(vErrors === null){
vErrors = [err172];
}
else {
vErrors.push(err172);
}
errors++;
}
}
}
else {
const err173 = {instancePath:instancePath+"/memory_patch/project.src_roots",schemaPath:"#/properties/memory_patch/properties/project.src_roots/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema12.properties.memory_patch.properties["project.src_roots"].type,parentSchema:schema12.properties.memory_patch.properties["project.src_roots"],data:data49};
if(vErrors === null){
vErrors = [err173];
}
else {
vErrors.push(err173);
}
errors++;
}
}
if(data38["project.test_roots"] !== undefined){
let data51 = data38["project.test_roots"];
if(Array.isArray(data51)){
if(data51.length > 64){
const err174 = {instancePath:instancePath+"/memory_patch/project.test_roots",schemaPath:"#/properties/memory_patch/properties/project.test_roots/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items",schema:64,parentSchema:schema12.properties.memory_patch.properties["project.test_roots"],data:data51};
if(vErrors === null){
vErrors = [err174];
}
else {
vErrors.push(err174);
}
errors++;
}
const len3 = data51.length;
for(let i3=0; i3<len3; i3++){
let data52 = data51[i3];
if(typeof data52 === "string"){
if(func2(data52) > 240){
const err175 = {instancePath:instancePath+"/memory_patch/project.test_roots/" + i3,schemaPath:"#/properties/memory_patch/properties/project.test_roots/items/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema12.properties.memory_patch.properties["project.test_roots"].items,data:data52};
if(vErrors === null){
vErrors = [err175];
}
else {
vErrors.push(err175);
}
errors++;
}
if(func2(data52) < 1){
const err176 = {instancePath:instancePath+"/memory_patch/project.test_roots/" + i3,schemaPath:"#/properties/memory_patch/properties/project.test_roots/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema12.properties.memory_patch.properties["project.test_roots"].items,data:data52};
if(vErrors === null){
vErrors = [err176];
}
else {
vErrors.push(err176);
}
errors++;
}
}
else {
const err177 = {instancePath:instancePath+"/memory_patch/project.test_roots/" + i3,schemaPath:"#/properties/memory_patch/properties/project.test_roots/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.memory_patch.properties["project.test_roots"].items.type,parentSchema:schema12.properties.memory_patch.properties["project.test_roots"].items,data:data52};
if(vErrors === null){
vErrors = [err177];
}
else {
vErrors.push(err177);
}
errors++;
}
}
}
else {
const err178 = {instancePath:instancePath+"/memory_patch/project.test_roots",schemaPath:"#/properties/memory_patch/properties/project.test_roots/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema12.properties.memory_patch.properties["project.test_roots"].type,parentSchema:schema12.properties.memory_patch.properties["project.test_roots"],data:data51};
if(vErrors === null){
vErrors = [err178];
}
else {
vErrors.push(err178);
}
errors++;
}
}
if(data38["project.ci_notes"] !== undefined){
let data53 = data38["project.ci_notes"];
if(typeof data53 === "string"){
if(func2(data53) > 2000){
const err179 = {instancePath:instancePath+"/memory_patch/project.ci_notes",schemaPath:"#/properties/memory_patch/properties/project.ci_notes/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema12.properties.memory_patch.properties["project.ci_notes"],data:data53};
if(vErrors === null){
vErrors = [err179];
}
else {
vErrors.push(err179);
}
errors++;
}
}
else {
const err180 = {instancePath:instancePath+"/memory_patch/project.ci_notes",schemaPath:"#/properties/memory_patch/properties/project.ci_notes/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.memory_patch.properties["project.ci_notes"].type,parentSchema:schema12.properties.memory_patch.properties["project.ci_notes"],data:data53};
if(vErrors === null){
vErrors = [err180];
}
else {
vErrors.push(err180);
}
errors++;
}
}
}
else {
const err181 = {instancePath:instancePath+"/memory_patch",schemaPath:"#/properties/memory_patch/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema12.properties.memory_patch.type,parentSchema:schema12.properties.memory_patch,data:data38};
if(vErrors === null){
vErrors = [err181];
}
else {
vErrors.push(err181);
}
errors++;
}
}
}
else {
const err182 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema12.type,parentSchema:schema12,data};
if(vErrors === null){
vErrors = [err182];
}
else {
vErrors.push(err182);
}
errors++;
}
validate11.errors = vErrors;
return errors === 0;
}

export const validateV3 = validate12;
const schema13 = {"$schema":"http://json-schema.org/draft-07/schema#","title":"papa-yu model answer, protocol v3","x_schema_version":3,"type":["object","array"],"required":["actions"],"properties":{"actions":{"type":"array","items":{"type":"object","required":["kind"],"discriminator":{"propertyName":"kind"},"oneOf":[{"type":"object","required":["kind","path","content"],"properties":{"kind":{"type":"string","const":"CREATE_FILE"},"path":{"type":"string","minLength":1,"maxLength":240},"content":{"type":"string","maxLength":1200000}},"additionalProperties":false},{"type":"object","required":["kind","path","content"],"properties":{"kind":{"type":"string","const":"UPDATE_FILE"},"path":{"type":"string","minLength":1,"maxLength":240},"content":{"type":"string","maxLength":1200000}},"additionalProperties":false},{"type":"object","required":["kind","path"],"properties":{"kind":{"type":"string","const":"CREATE_DIR"},"path":{"type":"string","minLength":1,"maxLength":240}},"additionalProperties":false},{"type":"object","required":["kind","path"],"properties":{"kind":{"type":"string","const":"DELETE_FILE"},"path":{"type":"string","minLength":1,"maxLength":240}},"additionalProperties":false},{"type":"object","required":["kind","path"],"properties":{"kind":{"type":"string","const":"DELETE_DIR"},"path":{"type":"string","minLength":1,"maxLength":240}},"additionalProperties":false},{"type":"object","required":["kind","path","patch","base_sha256"],"properties":{"kind":{"type":"string","const":"PATCH_FILE"},"path":{"type":"string","minLength":1,"maxLength":240},"patch":{"type":"string","maxLength":1200000},"base_sha256":{"type":"string","pattern":"^[a-f0-9]{64}$"}},"additionalProperties":false},{"type":"object","required":["kind","path","base_sha256","start_line","end_line","content"],"properties":{"kind":{"type":"string","const":"REPLACE_RANGE"},"path":{"type":"string","minLength":1,"maxLength":240},"base_sha256":{"type":"string","pattern":"^[a-f0-9]{64}$"},"start_line":{"type":"integer","minimum":1},"end_line":{"type":"integer","minimum":0},"content":{"type":"string","maxLength":1200000}},"additionalProperties":false},{"type":"object","required":["kind","path","base_sha256","edits"],"properties":{"kind":{"type":"string","const":"EDIT_FILE"},"path":{"type":"string","minLength":1,"maxLength":240},"base_sha256":{"type":"string","pattern":"^[a-f0-9]{64}$"},"edits":{"type":"array","items":{"type":"object","required":["op","anchor","before","after"],"properties":{"op":{"type":"string","const":"replace"},"anchor":{"type":"string","minLength":1,"maxLength":256},"before":{"type":"string","minLength":1,"maxLength":50000},"after":{"type":"string","maxLength":50000},"occurrence":{"type":"integer","minimum":1,"maximum":1000},"context_lines":{"type":"integer","minimum":0,"maximum":3}},"additionalProperties":false},"minItems":1,"maxItems":50}},"additionalProperties":false}]},"maxItems":200},"summary":{"type":"string","maxLength":8000},"context_requests":{"type":"array","items":{"type":"object","required":["type"],"discriminator":{"propertyName":"type"},"oneOf":[{"type":"object","required":["type","path"],"properties":{"type":{"type":"string","const":"read_file"},"path":{"type":"string","minLength":1,"maxLength":240},"start_line":{"type":"integer","minimum":1},"end_line":{"type":"integer","minimum":1}},"additionalProperties":false},{"type":"object","required":["type","query"],"properties":{"type":{"type":"string","const":"search"},"query":{"type":"string","minLength":1,"maxLength":2000},"glob":{"type":"string","minLength":1,"maxLength":512}},"additionalProperties":false},{"type":"object","required":["type","source"],"properties":{"type":{"type":"string","const":"logs"},"source":{"type":"string","minLength":1,"maxLength":200},"last_n":{"type":"integer","minimum":1,"maximum":5000}},"additionalProperties":false},{"type":"object","required":["type"],"properties":{"type":{"type":"string","const":"env"}},"additionalProperties":false}]},"maxItems":64},"memory_patch":{"type":"object","properties":{"user.preferred_style":{"type":"string","maxLength":2000},"user.ask_budget":{"anyOf":[{"type":"integer","minimum":0},{"type":"string","pattern":"^[0-9]{1,9}$"}]},"user.risk_tolerance":{"type":"string","maxLength":2000},"user.default_language":{"type":"string","maxLength":2000},"user.output_format":{"type":"string","maxLength":2000},"project.default_test_command":{"type":"string","maxLength":2000},"project.default_lint_command":{"type":"string","maxLength":2000},"project.default_format_command":{"type":"string","maxLength":2000},"project.package_manager":{"type":"string","maxLength":2000},"project.build_command":{"type":"string","maxLength":2000},"project.src_roots":{"type":"array","items":{"type":"string","minLength":1,"maxLength":240},"maxItems":64},"project.test_roots":{"type":"array","items":{"type":"string","minLength":1,"maxLength":240},"maxItems":64},"project.ci_notes":{"type":"string","maxLength":2000}},"additionalProperties":false}},"additionalProperties":false,"items":{"type":"object","required":["kind"],"discriminator":{"propertyName":"kind"},"oneOf":[{"type":"object","required":["kind","path","content"],"properties":{"kind":{"type":"string","const":"CREATE_FILE"},"path":{"type":"string","minLength":1,"maxLength":240},"content":{"type":"string","maxLength":1200000}},"additionalProperties":false},{"type":"object","required":["kind","path","content"],"properties":{"kind":{"type":"string","const":"UPDATE_FILE"},"path":{"type":"string","minLength":1,"maxLength":240},"content":{"type":"string","maxLength":1200000}},"additionalProperties":false},{"type":"object","required":["kind","path"],"properties":{"kind":{"type":"string","const":"CREATE_DIR"},"path":{"type":"string","minLength":1,"maxLength":240}},"additionalProperties":false},{"type":"object","required":["kind","path"],"properties":{"kind":{"type":"string","const":"DELETE_FILE"},"path":{"type":"string","minLength":1,"maxLength":240}},"additionalProperties":false},{"type":"object","required":["kind","path"],"properties":{"kind":{"type":"string","const":"DELETE_DIR"},"path":{"type":"string","minLength":1,"maxLength":240}},"additionalProperties":false},{"type":"object","required":["kind","path","patch","base_sha256"],"properties":{"kind":{"type":"string","const":"PATCH_FILE"},"path":{"type":"string","minLength":1,"maxLength":240},"patch":{"type":"string","maxLength":1200000},"base_sha256":{"type":"string","pattern":"^[a-f0-9]{64}$"}},"additionalProperties":false},{"type":"object","required":["kind","path","base_sha256","start_line","end_line","content"],"properties":{"kind":{"type":"string","const":"REPLACE_RANGE"},"path":{"type":"string","minLength":1,"maxLength":240},"base_sha256":{"type":"string","pattern":"^[a-f0-9]{64}$"},"start_line":{"type":"integer","minimum":1},"end_line":{"type":"integer","minimum":0},"content":{"type":"string","maxLength":1200000}},"additionalProperties":false},{"type":"object","required":["kind","path","base_sha256","edits"],"properties":{"kind":{"type":"string","const":"EDIT_FILE"},"path":{"type":"string","minLength":1,"maxLength":240},"base_sha256":{"type":"string","pattern":"^[a-f0-9]{64}$"},"edits":{"type":"array","items":{"type":"object","required":["op","anchor","before","after"],"properties":{"op":{"type":"string","const":"replace"},"anchor":{"type":"string","minLength":1,"maxLength":256},"before":{"type":"string","minLength":1,"maxLength":50000},"after":{"type":"string","maxLength":50000},"occurrence":{"type":"integer","minimum":1,"maximum":1000},"context_lines":{"type":"integer","minimum":0,"maximum":3}},"additionalProperties":false},"minItems":1,"maxItems":50}},"additionalProperties":false}]},"maxItems":200};

function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!data || typeof data != "object"){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema13.type},message:"must be object,array",schema:schema13.type,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(Array.isArray(data)){
if(data.length > 200){
const err1 = {instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 200},message:"must NOT have more than 200 items",schema:200,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
let data0 = data[i0];
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.kind === undefined){
const err2 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema13.items.required,parentSchema:schema13.items,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
const tag0 = data0.kind;
if(typeof tag0 == "string"){
if(tag0 === "CREATE_FILE"){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.kind === undefined){
const err3 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/0/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema13.items.oneOf[0].required,parentSchema:schema13.items.oneOf[0],data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data0.path === undefined){
const err4 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/0/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema13.items.oneOf[0].required,parentSchema:schema13.items.oneOf[0],data:data0};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data0.content === undefined){
const err5 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/0/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'",schema:schema13.items.oneOf[0].required,parentSchema:schema13.items.oneOf[0],data:data0};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
for(const key0 in data0){
if(!(((key0 === "kind") || (key0 === "path")) || (key0 === "content"))){
const err6 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/0/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema13.items.oneOf[0],data:data0};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data0.kind !== undefined){
let data1 = data0.kind;
if(typeof data1 !== "string"){
const err7 = {instancePath:instancePath+"/" + i0+"/kind",schemaPath:"#/items/oneOf/0/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[0].properties.kind.type,parentSchema:schema13.items.oneOf[0].properties.kind,data:data1};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if("CREATE_FILE" !== data1){
const err8 = {instancePath:instancePath+"/" + i0+"/kind",schemaPath:"#/items/oneOf/0/properties/kind/const",keyword:"const",params:{allowedValue: "CREATE_FILE"},message:"must be equal to constant",schema:"CREATE_FILE",parentSchema:schema13.items.oneOf[0].properties.kind,data:data1};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data0.path !== undefined){
let data2 = data0.path;
if(typeof data2 === "string"){
if(func2(data2) > 240){
const err9 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/0/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema13.items.oneOf[0].properties.path,data:data2};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(func2(data2) < 1){
const err10 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/0/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.items.oneOf[0].properties.path,data:data2};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/0/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[0].properties.path.type,parentSchema:schema13.items.oneOf[0].properties.path,data:data2};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data0.content !== undefined){
let data3 = data0.content;
if(typeof data3 === "string"){
if(func2(data3) > 1200000){
const err12 = {instancePath:instancePath+"/" + i0+"/content",schemaPath:"#/items/oneOf/0/properties/content/maxLength",keyword:"maxLength",params:{limit: 1200000},message:"must NOT have more than 1200000 characters",schema:1200000,parentSchema:schema13.items.oneOf[0].properties.content,data:data3};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/" + i0+"/content",schemaPath:"#/items/oneOf/0/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[0].properties.content.type,parentSchema:schema13.items.oneOf[0].properties.content,data:data3};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/0/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.items.oneOf[0].type,parentSchema:schema13.items.oneOf[0],data:data0};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else if(tag0 === "UPDATE_FILE"){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.kind === undefined){
const err15 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/1/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema13.items.oneOf[1].required,parentSchema:schema13.items.oneOf[1],data:data0};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(data0.path === undefined){
const err16 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/1/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema13.items.oneOf[1].required,parentSchema:schema13.items.oneOf[1],data:data0};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(data0.content === undefined){
const err17 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/1/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'",schema:schema13.items.oneOf[1].required,parentSchema:schema13.items.oneOf[1],data:data0};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
for(const key1 in data0){
if(!(((key1 === "kind") || (key1 === "path")) || (key1 === "content"))){
const err18 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema13.items.oneOf[1],data:data0};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data0.kind !== undefined){
let data4 = data0.kind;
if(typeof data4 !== "string"){
const err19 = {instancePath:instancePath+"/" + i0+"/kind",schemaPath:"#/items/oneOf/1/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[1].properties.kind.type,parentSchema:schema13.items.oneOf[1].properties.kind,data:data4};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if("UPDATE_FILE" !== data4){
const err20 = {instancePath:instancePath+"/" + i0+"/kind",schemaPath:"#/items/oneOf/1/properties/kind/const",keyword:"const",params:{allowedValue: "UPDATE_FILE"},message:"must be equal to constant",schema:"UPDATE_FILE",parentSchema:schema13.items.oneOf[1].properties.kind,data:data4};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data0.path !== undefined){
let data5 = data0.path;
if(typeof data5 === "string"){
if(func2(data5) > 240){
const err21 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/1/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema13.items.oneOf[1].properties.path,data:data5};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(func2(data5) < 1){
const err22 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/1/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.items.oneOf[1].properties.path,data:data5};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/1/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[1].properties.path.type,parentSchema:schema13.items.oneOf[1].properties.path,data:data5};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data0.content !== undefined){
let data6 = data0.content;
if(typeof data6 === "string"){
if(func2(data6) > 1200000){
const err24 = {instancePath:instancePath+"/" + i0+"/content",schemaPath:"#/items/oneOf/1/properties/content/maxLength",keyword:"maxLength",params:{limit: 1200000},message:"must NOT have more than 1200000 characters",schema:1200000,parentSchema:schema13.items.oneOf[1].properties.content,data:data6};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/" + i0+"/content",schemaPath:"#/items/oneOf/1/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[1].properties.content.type,parentSchema:schema13.items.oneOf[1].properties.content,data:data6};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
}
else {
const err26 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/1/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.items.oneOf[1].type,parentSchema:schema13.items.oneOf[1],data:data0};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
else if(tag0 === "CREATE_DIR"){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.kind === undefined){
const err27 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/2/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema13.items.oneOf[2].required,parentSchema:schema13.items.oneOf[2],data:data0};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(data0.path === undefined){
const err28 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/2/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema13.items.oneOf[2].required,parentSchema:schema13.items.oneOf[2],data:data0};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
for(const key2 in data0){
if(!((key2 === "kind") || (key2 === "path"))){
const err29 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/2/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties",schema:false,parentSchema:schema13.items.oneOf[2],data:data0};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data0.kind !== undefined){
let data7 = data0.kind;
if(typeof data7 !== "string"){
const err30 = {instancePath:instancePath+"/" + i0+"/kind",schemaPath:"#/items/oneOf/2/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[2].properties.kind.type,parentSchema:schema13.items.oneOf[2].properties.kind,data:data7};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
if("CREATE_DIR" !== data7){
const err31 = {instancePath:instancePath+"/" + i0+"/kind",schemaPath:"#/items/oneOf/2/properties/kind/const",keyword:"const",params:{allowedValue: "CREATE_DIR"},message:"must be equal to constant",schema:"CREATE_DIR",parentSchema:schema13.items.oneOf[2].properties.kind,data:data7};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data0.path !== undefined){
let data8 = data0.path;
if(typeof data8 === "string"){
if(func2(data8) > 240){
const err32 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/2/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema13.items.oneOf[2].properties.path,data:data8};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if(func2(data8) < 1){
const err33 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/2/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.items.oneOf[2].properties.path,data:data8};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
else {
const err34 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/2/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[2].properties.path.type,parentSchema:schema13.items.oneOf[2].properties.path,data:data8};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
}
else {
const err35 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/2/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.items.oneOf[2].type,parentSchema:schema13.items.oneOf[2],data:data0};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
else if(tag0 === "DELETE_FILE"){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.kind === undefined){
const err36 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/3/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema13.items.oneOf[3].required,parentSchema:schema13.items.oneOf[3],data:data0};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
if(data0.path === undefined){
const err37 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/3/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema13.items.oneOf[3].required,parentSchema:schema13.items.oneOf[3],data:data0};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
for(const key3 in data0){
if(!((key3 === "kind") || (key3 === "path"))){
const err38 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/3/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties",schema:false,parentSchema:schema13.items.oneOf[3],data:data0};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data0.kind !== undefined){
let data9 = data0.kind;
if(typeof data9 !== "string"){
const err39 = {instancePath:instancePath+"/" + i0+"/kind",schemaPath:"#/items/oneOf/3/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[3].properties.kind.type,parentSchema:schema13.items.oneOf[3].properties.kind,data:data9};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if("DELETE_FILE" !== data9){
const err40 = {instancePath:instancePath+"/" + i0+"/kind",schemaPath:"#/items/oneOf/3/properties/kind/const",keyword:"const",params:{allowedValue: "DELETE_FILE"},message:"must be equal to constant",schema:"DELETE_FILE",parentSchema:schema13.items.oneOf[3].properties.kind,data:data9};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
if(data0.path !== undefined){
let data10 = data0.path;
if(typeof data10 === "string"){
if(func2(data10) > 240){
const err41 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/3/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema13.items.oneOf[3].properties.path,data:data10};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
if(func2(data10) < 1){
const err42 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/3/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.items.oneOf[3].properties.path,data:data10};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
else {
const err43 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/3/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[3].properties.path.type,parentSchema:schema13.items.oneOf[3].properties.path,data:data10};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
}
else {
const err44 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/3/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.items.oneOf[3].type,parentSchema:schema13.items.oneOf[3],data:data0};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
else if(tag0 === "DELETE_DIR"){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.kind === undefined){
const err45 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/4/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema13.items.oneOf[4].required,parentSchema:schema13.items.oneOf[4],data:data0};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
if(data0.path === undefined){
const err46 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/4/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema13.items.oneOf[4].required,parentSchema:schema13.items.oneOf[4],data:data0};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
for(const key4 in data0){
if(!((key4 === "kind") || (key4 === "path"))){
const err47 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/4/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties",schema:false,parentSchema:schema13.items.oneOf[4],data:data0};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
if(data0.kind !== undefined){
let data11 = data0.kind;
if(typeof data11 !== "string"){
const err48 = {instancePath:instancePath+"/" + i0+"/kind",schemaPath:"#/items/oneOf/4/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[4].properties.kind.type,parentSchema:schema13.items.oneOf[4].properties.kind,data:data11};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
if("DELETE_DIR" !== data11){
const err49 = {instancePath:instancePath+"/" + i0+"/kind",schemaPath:"#/items/oneOf/4/properties/kind/const",keyword:"const",params:{allowedValue: "DELETE_DIR"},message:"must be equal to constant",schema:"DELETE_DIR",parentSchema:schema13.items.oneOf[4].properties.kind,data:data11};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
if(data0.path !== undefined){
let data12 = data0.path;
if(typeof data12 === "string"){
if(func2(data12) > 240){
const err50 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/4/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema13.items.oneOf[4].properties.path,data:data12};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
if(func2(data12) < 1){
const err51 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/4/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.items.oneOf[4].properties.path,data:data12};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
else {
const err52 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/4/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[4].properties.path.type,parentSchema:schema13.items.oneOf[4].properties.path,data:data12};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
}
else {
const err53 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/4/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.items.oneOf[4].type,parentSchema:schema13.items.oneOf[4],data:data0};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
else if(tag0 === "PATCH_FILE"){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.kind === undefined){
const err54 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/5/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema13.items.oneOf[5].required,parentSchema:schema13.items.oneOf[5],data:data0};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
if(data0.path === undefined){
const err55 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/5/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema13.items.oneOf[5].required,parentSchema:schema13.items.oneOf[5],data:data0};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
if(data0.patch === undefined){
const err56 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/5/required",keyword:"required",params:{missingProperty: "patch"},message:"must have required property '"+"patch"+"'",schema:schema13.items.oneOf[5].required,parentSchema:schema13.items.oneOf[5],data:data0};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
if(data0.base_sha256 === undefined){
const err57 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/5/required",keyword:"required",params:{missingProperty: "base_sha256"},message:"must have required property '"+"base_sha256"+"'",schema:schema13.items.oneOf[5].required,parentSchema:schema13.items.oneOf[5],data:data0};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
for(const key5 in data0){
if(!((((key5 === "kind") || (key5 === "path")) || (key5 === "patch")) || (key5 === "base_sha256"))){
const err58 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/5/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5},message:"must NOT have additional properties",schema:false,parentSchema:schema13.items.oneOf[5],data:data0};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
if(data0.kind !== undefined){
let data13 = data0.kind;
if(typeof data13 !== "string"){
const err59 = {instancePath:instancePath+"/" + i0+"/kind",schemaPath:"#/items/oneOf/5/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[5].properties.kind.type,parentSchema:schema13.items.oneOf[5].properties.kind,data:data13};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
if("PATCH_FILE" !== data13){
const err60 = {instancePath:instancePath+"/" + i0+"/kind",schemaPath:"#/items/oneOf/5/properties/kind/const",keyword:"const",params:{allowedValue: "PATCH_FILE"},message:"must be equal to constant",schema:"PATCH_FILE",parentSchema:schema13.items.oneOf[5].properties.kind,data:data13};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
if(data0.path !== undefined){
let data14 = data0.path;
if(typeof data14 === "string"){
if(func2(data14) > 240){
const err61 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/5/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema13.items.oneOf[5].properties.path,data:data14};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
if(func2(data14) < 1){
const err62 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/5/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.items.oneOf[5].properties.path,data:data14};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
else {
const err63 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/5/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[5].properties.path.type,parentSchema:schema13.items.oneOf[5].properties.path,data:data14};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
if(data0.patch !== undefined){
let data15 = data0.patch;
if(typeof data15 === "string"){
if(func2(data15) > 1200000){
const err64 = {instancePath:instancePath+"/" + i0+"/patch",schemaPath:"#/items/oneOf/5/properties/patch/maxLength",keyword:"maxLength",params:{limit: 1200000},message:"must NOT have more than 1200000 characters",schema:1200000,parentSchema:schema13.items.oneOf[5].properties.patch,data:data15};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
else {
const err65 = {instancePath:instancePath+"/" + i0+"/patch",schemaPath:"#/items/oneOf/5/properties/patch/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[5].properties.patch.type,parentSchema:schema13.items.oneOf[5].properties.patch,data:data15};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
if(data0.base_sha256 !== undefined){
let data16 = data0.base_sha256;
if(typeof data16 === "string"){
if(!pattern0.test(data16)){
const err66 = {instancePath:instancePath+"/" + i0+"/base_sha256",schemaPath:"#/items/oneOf/5/properties/base_sha256/pattern",keyword:"pattern",params:{pattern: "^[a-f0-9]{64}$"},message:"must match pattern \""+"^[a-f0-9]{64}$"+"\"",schema:"^[a-f0-9]{64}$",parentSchema:schema13.items.oneOf[5].properties.base_sha256,data:data16};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
else {
const err67 = {instancePath:instancePath+"/" + i0+"/base_sha256",schemaPath:"#/items/oneOf/5/properties/base_sha256/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[5].properties.base_sha256.type,parentSchema:schema13.items.oneOf[5].properties.base_sha256,data:data16};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
}
else {
const err68 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/5/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.items.oneOf[5].type,parentSchema:schema13.items.oneOf[5],data:data0};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
else if(tag0 === "REPLACE_RANGE"){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.kind === undefined){
const err69 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/6/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema13.items.oneOf[6].required,parentSchema:schema13.items.oneOf[6],data:data0};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
if(data0.path === undefined){
const err70 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/6/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema13.items.oneOf[6].required,parentSchema:schema13.items.oneOf[6],data:data0};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
if(data0.base_sha256 === undefined){
const err71 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/6/required",keyword:"required",params:{missingProperty: "base_sha256"},message:"must have required property '"+"base_sha256"+"'",schema:schema13.items.oneOf[6].required,parentSchema:schema13.items.oneOf[6],data:data0};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
if(data0.start_line === undefined){
const err72 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/6/required",keyword:"required",params:{missingProperty: "start_line"},message:"must have required property '"+"start_line"+"'",schema:schema13.items.oneOf[6].required,parentSchema:schema13.items.oneOf[6],data:data0};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
if(data0.end_line === undefined){
const err73 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/6/required",keyword:"required",params:{missingProperty: "end_line"},message:"must have required property '"+"end_line"+"'",schema:schema13.items.oneOf[6].required,parentSchema:schema13.items.oneOf[6],data:data0};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
if(data0.content === undefined){
const err74 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/6/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'",schema:schema13.items.oneOf[6].required,parentSchema:schema13.items.oneOf[6],data:data0};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
for(const key6 in data0){
if(!((((((key6 === "kind") || (key6 === "path")) || (key6 === "base_sha256")) || (key6 === "start_line")) || (key6 === "end_line")) || (key6 === "content"))){
const err75 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/6/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6},message:"must NOT have additional properties",schema:false,parentSchema:schema13.items.oneOf[6],data:data0};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
}
if(data0.kind !== undefined){
let data17 = data0.kind;
if(typeof data17 !== "string"){
const err76 = {instancePath:instancePath+"/" + i0+"/kind",schemaPath:"#/items/oneOf/6/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[6].properties.kind.type,parentSchema:schema13.items.oneOf[6].properties.kind,data:data17};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
if("REPLACE_RANGE" !== data17){
const err77 = {instancePath:instancePath+"/" + i0+"/kind",schemaPath:"#/items/oneOf/6/properties/kind/const",keyword:"const",params:{allowedValue: "REPLACE_RANGE"},message:"must be equal to constant",schema:"REPLACE_RANGE",parentSchema:schema13.items.oneOf[6].properties.kind,data:data17};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
if(data0.path !== undefined){
let data18 = data0.path;
if(typeof data18 === "string"){
if(func2(data18) > 240){
const err78 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/6/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema13.items.oneOf[6].properties.path,data:data18};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
if(func2(data18) < 1){
const err79 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/6/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.items.oneOf[6].properties.path,data:data18};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
}
else {
const err80 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/6/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[6].properties.path.type,parentSchema:schema13.items.oneOf[6].properties.path,data:data18};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
}
if(data0.base_sha256 !== undefined){
let data19 = data0.base_sha256;
if(typeof data19 === "string"){
if(!pattern0.test(data19)){
const err81 = {instancePath:instancePath+"/" + i0+"/base_sha256",schemaPath:"#/items/oneOf/6/properties/base_sha256/pattern",keyword:"pattern",params:{pattern: "^[a-f0-9]{64}$"},message:"must match pattern \""+"^[a-f0-9]{64}$"+"\"",schema:"^[a-f0-9]{64}$",parentSchema:schema13.items.oneOf[6].properties.base_sha256,data:data19};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
}
else {
const err82 = {instancePath:instancePath+"/" + i0+"/base_sha256",schemaPath:"#/items/oneOf/6/properties/base_sha256/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[6].properties.base_sha256.type,parentSchema:schema13.items.oneOf[6].properties.base_sha256,data:data19};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
}
if(data0.start_line !== undefined){
let data20 = data0.start_line;
if(!((typeof data20 == "number") && (!(data20 % 1) && !isNaN(data20)))){
const err83 = {instancePath:instancePath+"/" + i0+"/start_line",schemaPath:"#/items/oneOf/6/properties/start_line/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema13.items.oneOf[6].properties.start_line.type,parentSchema:schema13.items.oneOf[6].properties.start_line,data:data20};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
if(typeof data20 == "number"){
if(data20 < 1 || isNaN(data20)){
const err84 = {instancePath:instancePath+"/" + i0+"/start_line",schemaPath:"#/items/oneOf/6/properties/start_line/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema13.items.oneOf[6].properties.start_line,data:data20};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
}
}
if(data0.end_line !== undefined){
let data21 = data0.end_line;
if(!((typeof data21 == "number") && (!(data21 % 1) && !isNaN(data21)))){
const err85 = {instancePath:instancePath+"/" + i0+"/end_line",schemaPath:"#/items/oneOf/6/properties/end_line/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema13.items.oneOf[6].properties.end_line.type,parentSchema:schema13.items.oneOf[6].properties.end_line,data:data21};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
if(typeof data21 == "number"){
if(data21 < 0 || isNaN(data21)){
const err86 = {instancePath:instancePath+"/" + i0+"/end_line",schemaPath:"#/items/oneOf/6/properties/end_line/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema13.items.oneOf[6].properties.end_line,data:data21};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
}
}
if(data0.content !== undefined){
let data22 = data0.content;
if(typeof data22 === "string"){
if(func2(data22) > 1200000){
const err87 = {instancePath:instancePath+"/" + i0+"/content",schemaPath:"#/items/oneOf/6/properties/content/maxLength",keyword:"maxLength",params:{limit: 1200000},message:"must NOT have more than 1200000 characters",schema:1200000,parentSchema:schema13.items.oneOf[6].properties.content,data:data22};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
}
else {
const err88 = {instancePath:instancePath+"/" + i0+"/content",schemaPath:"#/items/oneOf/6/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[6].properties.content.type,parentSchema:schema13.items.oneOf[6].properties.content,data:data22};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
}
}
else {
const err89 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/6/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.items.oneOf[6].type,parentSchema:schema13.items.oneOf[6],data:data0};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
}
else if(tag0 === "EDIT_FILE"){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.kind === undefined){
const err90 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/7/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema13.items.oneOf[7].required,parentSchema:schema13.items.oneOf[7],data:data0};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
if(data0.path === undefined){
const err91 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/7/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema13.items.oneOf[7].required,parentSchema:schema13.items.oneOf[7],data:data0};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
if(data0.base_sha256 === undefined){
const err92 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/7/required",keyword:"required",params:{missingProperty: "base_sha256"},message:"must have required property '"+"base_sha256"+"'",schema:schema13.items.oneOf[7].required,parentSchema:schema13.items.oneOf[7],data:data0};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
if(data0.edits === undefined){
const err93 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/7/required",keyword:"required",params:{missingProperty: "edits"},message:"must have required property '"+"edits"+"'",schema:schema13.items.oneOf[7].required,parentSchema:schema13.items.oneOf[7],data:data0};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
for(const key7 in data0){
if(!((((key7 === "kind") || (key7 === "path")) || (key7 === "base_sha256")) || (key7 === "edits"))){
const err94 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/7/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7},message:"must NOT have additional properties",schema:false,parentSchema:schema13.items.oneOf[7],data:data0};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
}
if(data0.kind !== undefined){
let data23 = data0.kind;
if(typeof data23 !== "string"){
const err95 = {instancePath:instancePath+"/" + i0+"/kind",schemaPath:"#/items/oneOf/7/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[7].properties.kind.type,parentSchema:schema13.items.oneOf[7].properties.kind,data:data23};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
if("EDIT_FILE" !== data23){
const err96 = {instancePath:instancePath+"/" + i0+"/kind",schemaPath:"#/items/oneOf/7/properties/kind/const",keyword:"const",params:{allowedValue: "EDIT_FILE"},message:"must be equal to constant",schema:"EDIT_FILE",parentSchema:schema13.items.oneOf[7].properties.kind,data:data23};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
}
if(data0.path !== undefined){
let data24 = data0.path;
if(typeof data24 === "string"){
if(func2(data24) > 240){
const err97 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/7/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema13.items.oneOf[7].properties.path,data:data24};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
if(func2(data24) < 1){
const err98 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/7/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.items.oneOf[7].properties.path,data:data24};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
}
else {
const err99 = {instancePath:instancePath+"/" + i0+"/path",schemaPath:"#/items/oneOf/7/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[7].properties.path.type,parentSchema:schema13.items.oneOf[7].properties.path,data:data24};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
}
if(data0.base_sha256 !== undefined){
let data25 = data0.base_sha256;
if(typeof data25 === "string"){
if(!pattern0.test(data25)){
const err100 = {instancePath:instancePath+"/" + i0+"/base_sha256",schemaPath:"#/items/oneOf/7/properties/base_sha256/pattern",keyword:"pattern",params:{pattern: "^[a-f0-9]{64}$"},message:"must match pattern \""+"^[a-f0-9]{64}$"+"\"",schema:"^[a-f0-9]{64}$",parentSchema:schema13.items.oneOf[7].properties.base_sha256,data:data25};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
}
else {
const err101 = {instancePath:instancePath+"/" + i0+"/base_sha256",schemaPath:"#/items/oneOf/7/properties/base_sha256/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[7].properties.base_sha256.type,parentSchema:schema13.items.oneOf[7].properties.base_sha256,data:data25};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
}
if(data0.edits !== undefined){
let data26 = data0.edits;
if(Array.isArray(data26)){
if(data26.length > 50){
const err102 = {instancePath:instancePath+"/" + i0+"/edits",schemaPath:"#/items/oneOf/7/properties/edits/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items",schema:50,parentSchema:schema13.items.oneOf[7].properties.edits,data:data26};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
if(data26.length < 1){
const err103 = {instancePath:instancePath+"/" + i0+"/edits",schemaPath:"#/items/oneOf/7/properties/edits/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema13.items.oneOf[7].properties.edits,data:data26};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
const len1 = data26.length;
for(let i1=0; i1<len1; i1++){
let data27 = data26[i1];
if(data27 && typeof data27 == "object" && !Array.isArray(data27)){
if(data27.op === undefined){
const err104 = {instancePath:instancePath+"/" + i0+"/edits/" + i1,schemaPath:"#/items/oneOf/7/properties/edits/items/required",keyword:"required",params:{missingProperty: "op"},message:"must have required property '"+"op"+"'",schema:schema13.items.oneOf[7].properties.edits.items.required,parentSchema:schema13.items.oneOf[7].properties.edits.items,data:data27};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
if(data27.anchor === undefined){
const err105 = {instancePath:instancePath+"/" + i0+"/edits/" + i1,schemaPath:"#/items/oneOf/7/properties/edits/items/required",keyword:"required",params:{missingProperty: "anchor"},message:"must have required property '"+"anchor"+"'",schema:schema13.items.oneOf[7].properties.edits.items.required,parentSchema:schema13.items.oneOf[7].properties.edits.items,data:data27};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
if(data27.before === undefined){
const err106 = {instancePath:instancePath+"/" + i0+"/edits/" + i1,schemaPath:"#/items/oneOf/7/properties/edits/items/required",keyword:"required",params:{missingProperty: "before"},message:"must have required property '"+"before"+"'",schema:schema13.items.oneOf[7].properties.edits.items.required,parentSchema:schema13.items.oneOf[7].properties.edits.items,data:data27};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
if(data27.after === undefined){
const err107 = {instancePath:instancePath+"/" + i0+"/edits/" + i1,schemaPath:"#/items/oneOf/7/properties/edits/items/required",keyword:"required",params:{missingProperty: "after"},message:"must have required property '"+"after"+"'",schema:schema13.items.oneOf[7].properties.edits.items.required,parentSchema:schema13.items.oneOf[7].properties.edits.items,data:data27};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
}
for(const key8 in data27){
if(!((((((key8 === "op") || (key8 === "anchor")) || (key8 === "before")) || (key8 === "after")) || (key8 === "occurrence")) || (key8 === "context_lines"))){
const err108 = {instancePath:instancePath+"/" + i0+"/edits/" + i1,schemaPath:"#/items/oneOf/7/properties/edits/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key8},message:"must NOT have additional properties",schema:false,parentSchema:schema13.items.oneOf[7].properties.edits.items,data:data27};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
}
if(data27.op !== undefined){
let data28 = data27.op;
if(typeof data28 !== "string"){
const err109 = {instancePath:instancePath+"/" + i0+"/edits/" + i1+"/op",schemaPath:"#/items/oneOf/7/properties/edits/items/properties/op/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[7].properties.edits.items.properties.op.type,parentSchema:schema13.items.oneOf[7].properties.edits.items.properties.op,data:data28};
if(vErrors === null){
vErrors = [err109];
}
else {
vErrors.push(err109);
}
errors++;
}
if("replace" !== data28){
const err110 = {instancePath:instancePath+"/" + i0+"/edits/" + i1+"/op",schemaPath:"#/items/oneOf/7/properties/edits/items/properties/op/const",keyword:"const",params:{allowedValue: "replace"},message:"must be equal to constant",schema:"replace",parentSchema:schema13.items.oneOf[7].properties.edits.items.properties.op,data:data28};
if(vErrors === null){
vErrors = [err110];
}
else {
vErrors.push(err110);
}
errors++;
}
}
if(data27.anchor !== undefined){
let data29 = data27.anchor;
if(typeof data29 === "string"){
if(func2(data29) > 256){
const err111 = {instancePath:instancePath+"/" + i0+"/edits/" + i1+"/anchor",schemaPath:"#/items/oneOf/7/properties/edits/items/properties/anchor/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters",schema:256,parentSchema:schema13.items.oneOf[7].properties.edits.items.properties.anchor,data:data29};
if(vErrors === null){
vErrors = [err111];
}
else {
vErrors.push(err111);
}
errors++;
}
if(func2(data29) < 1){
const err112 = {instancePath:instancePath+"/" + i0+"/edits/" + i1+"/anchor",schemaPath:"#/items/oneOf/7/properties/edits/items/properties/anchor/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.items.oneOf[7].properties.edits.items.properties.anchor,data:data29};
if(vErrors === null){
vErrors = [err112];
}
else {
vErrors.push(err112);
}
errors++;
}
}
else {
const err113 = {instancePath:instancePath+"/" + i0+"/edits/" + i1+"/anchor",schemaPath:"#/items/oneOf/7/properties/edits/items/properties/anchor/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[7].properties.edits.items.properties.anchor.type,parentSchema:schema13.items.oneOf[7].properties.edits.items.properties.anchor,data:data29};
if(vErrors === null){
vErrors = [err113];
}
else {
vErrors.push(err113);
}
errors++;
}
}
if(data27.before !== undefined){
let data30 = data27.before;
if(typeof data30 === "string"){
if(func2(data30) > 50000){
const err114 = {instancePath:instancePath+"/" + i0+"/edits/" + i1+"/before",schemaPath:"#/items/oneOf/7/properties/edits/items/properties/before/maxLength",keyword:"maxLength",params:{limit: 50000},message:"must NOT have more than 50000 characters",schema:50000,parentSchema:schema13.items.oneOf[7].properties.edits.items.properties.before,data:data30};
if(vErrors === null){
vErrors = [err114];
}
else {
vErrors.push(err114);
}
errors++;
}
if(func2(data30) < 1){
const err115 = {instancePath:instancePath+"/" + i0+"/edits/" + i1+"/before",schemaPath:"#/items/oneOf/7/properties/edits/items/properties/before/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.items.oneOf[7].properties.edits.items.properties.before,data:data30};
if(vErrors === null){
vErrors = [err115];
}
else {
vErrors.push(err115);
}
errors++;
}
}
else {
const err116 = {instancePath:instancePath+"/" + i0+"/edits/" + i1+"/before",schemaPath:"#/items/oneOf/7/properties/edits/items/properties/before/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[7].properties.edits.items.properties.before.type,parentSchema:schema13.items.oneOf[7].properties.edits.items.properties.before,data:data30};
if(vErrors === null){
vErrors = [err116];
}
else {
vErrors.push(err116);
}
errors++;
}
}
if(data27.after !== undefined){
let data31 = data27.after;
if(typeof data31 === "string"){
if(func2(data31) > 50000){
const err117 = {instancePath:instancePath+"/" + i0+"/edits/" + i1+"/after",schemaPath:"#/items/oneOf/7/properties/edits/items/properties/after/maxLength",keyword:"maxLength",params:{limit: 50000},message:"must NOT have more than 50000 characters",schema:50000,parentSchema:schema13.items.oneOf[7].properties.edits.items.properties.after,data:data31};
if(vErrors === null){
vErrors = [err117];
}
else {
vErrors.push(err117);
}
errors++;
}
}
else {
const err118 = {instancePath:instancePath+"/" + i0+"/edits/" + i1+"/after",schemaPath:"#/items/oneOf/7/properties/edits/items/properties/after/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.items.oneOf[7].properties.edits.items.properties.after.type,parentSchema:schema13.items.oneOf[7].properties.edits.items.properties.after,data:data31};
if(vErrors === null){
vErrors = [err118];
}
else {
vErrors.push(err118);
}
errors++;
}
}
if(data27.occurrence !== undefined){
let data32 = data27.occurrence;
if(!((typeof data32 == "number") && (!(data32 % 1) && !isNaN(data32)))){
const err119 = {instancePath:instancePath+"/" + i0+"/edits/" + i1+"/occurrence",schemaPath:"#/items/oneOf/7/properties/edits/items/properties/occurrence/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema13.items.oneOf[7].properties.edits.items.properties.occurrence.type,parentSchema:schema13.items.oneOf[7].properties.edits.items.properties.occurrence,data:data32};
if(vErrors === null){
vErrors = [err119];
}
else {
vErrors.push(err119);
}
errors++;
}
if(typeof data32 == "number"){
if(data32 > 1000 || isNaN(data32)){
const err120 = {instancePath:instancePath+"/" + i0+"/edits/" + i1+"/occurrence",schemaPath:"#/items/oneOf/7/properties/edits/items/properties/occurrence/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000",schema:1000,parentSchema:schema13.items.oneOf[7].properties.edits.items.properties.occurrence,data:data32};
if(vErrors === null){
vErrors = [err120];
}
else {
vErrors.push(err120);
}
errors++;
}
if(data32 < 1 || isNaN(data32)){
const err121 = {instancePath:instancePath+"/" + i0+"/edits/" + i1+"/occurrence",schemaPath:"#/items/oneOf/7/properties/edits/items/properties/occurrence/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema13.items.oneOf[7].properties.edits.items.properties.occurrence,data:data32};
if(vErrors === null){
vErrors = [err121];
}
else {
vErrors.push(err121);
}
errors++;
}
}
}
if(data27.context_lines !== undefined){
let data33 = data27.context_lines;
if(!((typeof data33 == "number") && (!(data33 % 1) && !isNaN(data33)))){
const err122 = {instancePath:instancePath+"/" + i0+"/edits/" + i1+"/context_lines",schemaPath:"#/items/oneOf/7/properties/edits/items/properties/context_lines/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema13.items.oneOf[7].properties.edits.items.properties.context_lines.type,parentSchema:schema13.items.oneOf[7].properties.edits.items.properties.context_lines,data:data33};
if(vErrors === null){
vErrors = [err122];
}
else {
vErrors.push(err122);
}
errors++;
}
if(typeof data33 == "number"){
if(data33 > 3 || isNaN(data33)){
const err123 = {instancePath:instancePath+"/" + i0+"/edits/" + i1+"/context_lines",schemaPath:"#/items/oneOf/7/properties/edits/items/properties/context_lines/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3},message:"must be <= 3",schema:3,parentSchema:schema13.items.oneOf[7].properties.edits.items.properties.context_lines,data:data33};
if(vErrors === null){
vErrors = [err123];
}
else {
vErrors.push(err123);
}
errors++;
}
if(data33 < 0 || isNaN(data33)){
const err124 = {instancePath:instancePath+"/" + i0+"/edits/" + i1+"/context_lines",schemaPath:"#/items/oneOf/7/properties/edits/items/properties/context_lines/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema13.items.oneOf[7].properties.edits.items.properties.context_lines,data:data33};
if(vErrors === null){
vErrors = [err124];
}
else {
vErrors.push(err124);
}
errors++;
}
}
}
}
else {
const err125 = {instancePath:instancePath+"/" + i0+"/edits/" + i1,schemaPath:"#/items/oneOf/7/properties/edits/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.items.oneOf[7].properties.edits.items.type,parentSchema:schema13.items.oneOf[7].properties.edits.items,data:data27};
if(vErrors === null){
vErrors = [err125];
}
else {
vErrors.push(err125);
}
errors++;
}
}
}
else {
const err126 = {instancePath:instancePath+"/" + i0+"/edits",schemaPath:"#/items/oneOf/7/properties/edits/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema13.items.oneOf[7].properties.edits.type,parentSchema:schema13.items.oneOf[7].properties.edits,data:data26};
if(vErrors === null){
vErrors = [err126];
}
else {
vErrors.push(err126);
}
errors++;
}
}
}
else {
const err127 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/oneOf/7/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.items.oneOf[7].type,parentSchema:schema13.items.oneOf[7],data:data0};
if(vErrors === null){
vErrors = [err127];
}
else {
vErrors.push(err127);
}
errors++;
}
}
else {
const err128 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "kind", tagValue: tag0},message:"value of tag \"kind\" must be in oneOf",schema:schema13.items.discriminator,parentSchema:schema13.items,data:data0};
if(vErrors === null){
vErrors = [err128];
}
else {
vErrors.push(err128);
}
errors++;
}
}
else {
const err129 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/discriminator",keyword:"discriminator",params:{error: "tag", tag: "kind", tagValue: tag0},message:"tag \"kind\" must be string",schema:schema13.items.discriminator,parentSchema:schema13.items,data:data0};
if(vErrors === null){
vErrors = [err129];
}
else {
vErrors.push(err129);
}
errors++;
}
}
else {
const err130 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.items.type,parentSchema:schema13.items,data:data0};
if(vErrors === null){
vErrors = [err130];
}
else {
vErrors.push(err130);
}
errors++;
}
}
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.actions === undefined){
const err131 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "actions"},message:"must have required property '"+"actions"+"'",schema:schema13.required,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err131];
}
else {
vErrors.push(err131);
}
errors++;
}
for(const key9 in data){
if(!((((key9 === "actions") || (key9 === "summary")) || (key9 === "context_requests")) || (key9 === "memory_patch"))){
const err132 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key9},message:"must NOT have additional properties",schema:false,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err132];
}
else {
vErrors.push(err132);
}
errors++;
}
}
if(data.actions !== undefined){
let data34 = data.actions;
if(Array.isArray(data34)){
if(data34.length > 200){
const err133 = {instancePath:instancePath+"/actions",schemaPath:"#/properties/actions/maxItems",keyword:"maxItems",params:{limit: 200},message:"must NOT have more than 200 items",schema:200,parentSchema:schema13.properties.actions,data:data34};
if(vErrors === null){
vErrors = [err133];
}
else {
vErrors.push(err133);
}
errors++;
}
const len2 = data34.length;
for(let i2=0; i2<len2; i2++){
let data35 = data34[i2];
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
if(data35.kind === undefined){
const err134 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema13.properties.actions.items.required,parentSchema:schema13.properties.actions.items,data:data35};
if(vErrors === null){
vErrors = [err134];
}
else {
vErrors.push(err134);
}
errors++;
}
const tag1 = data35.kind;
if(typeof tag1 == "string"){
if(tag1 === "CREATE_FILE"){
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
if(data35.kind === undefined){
const err135 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/0/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema13.properties.actions.items.oneOf[0].required,parentSchema:schema13.properties.actions.items.oneOf[0],data:data35};
if(vErrors === null){
vErrors = [err135];
}
else {
vErrors.push(err135);
}
errors++;
}
if(data35.path === undefined){
const err136 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/0/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema13.properties.actions.items.oneOf[0].required,parentSchema:schema13.properties.actions.items.oneOf[0],data:data35};
if(vErrors === null){
vErrors = [err136];
}
else {
vErrors.push(err136);
}
errors++;
}
if(data35.content === undefined){
const err137 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/0/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'",schema:schema13.properties.actions.items.oneOf[0].required,parentSchema:schema13.properties.actions.items.oneOf[0],data:data35};
if(vErrors === null){
vErrors = [err137];
}
else {
vErrors.push(err137);
}
errors++;
}
for(const key10 in data35){
if(!(((key10 === "kind") || (key10 === "path")) || (key10 === "content"))){
const err138 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/0/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key10},message:"must NOT have additional properties",schema:false,parentSchema:schema13.properties.actions.items.oneOf[0],data:data35};
if(vErrors === null){
vErrors = [err138];
}
else {
vErrors.push(err138);
}
errors++;
}
}
if(data35.kind !== undefined){
let data36 = data35.kind;
if(typeof data36 !== "string"){
const err139 = {instancePath:instancePath+"/actions/" + i2+"/kind",schemaPath:"#/properties/actions/items/oneOf/0/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[0].properties.kind.type,parentSchema:schema13.properties.actions.items.oneOf[0].properties.kind,data:data36};
if(vErrors === null){
vErrors = [err139];
}
else {
vErrors.push(err139);
}
errors++;
}
if("CREATE_FILE" !== data36){
const err140 = {instancePath:instancePath+"/actions/" + i2+"/kind",schemaPath:"#/properties/actions/items/oneOf/0/properties/kind/const",keyword:"const",params:{allowedValue: "CREATE_FILE"},message:"must be equal to constant",schema:"CREATE_FILE",parentSchema:schema13.properties.actions.items.oneOf[0].properties.kind,data:data36};
if(vErrors === null){
vErrors = [err140];
}
else {
vErrors.push(err140);
}
errors++;
}
}
if(data35.path !== undefined){
let data37 = data35.path;
if(typeof data37 === "string"){
if(func2(data37) > 240){
const err141 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/0/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema13.properties.actions.items.oneOf[0].properties.path,data:data37};
if(vErrors === null){
vErrors = [err141];
}
else {
vErrors.push(err141);
}
errors++;
}
if(func2(data37) < 1){
const err142 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/0/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.actions.items.oneOf[0].properties.path,data:data37};
if(vErrors === null){
vErrors = [err142];
}
else {
vErrors.push(err142);
}
errors++;
}
}
else {
const err143 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/0/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[0].properties.path.type,parentSchema:schema13.properties.actions.items.oneOf[0].properties.path,data:data37};
if(vErrors === null){
vErrors = [err143];
}
else {
vErrors.push(err143);
}
errors++;
}
}
if(data35.content !== undefined){
let data38 = data35.content;
if(typeof data38 === "string"){
if(func2(data38) > 1200000){
const err144 = {instancePath:instancePath+"/actions/" + i2+"/content",schemaPath:"#/properties/actions/items/oneOf/0/properties/content/maxLength",keyword:"maxLength",params:{limit: 1200000},message:"must NOT have more than 1200000 characters",schema:1200000,parentSchema:schema13.properties.actions.items.oneOf[0].properties.content,data:data38};
if(vErrors === null){
vErrors = [err144];
}
else {
vErrors.push(err144);
}
errors++;
}
}
else {
const err145 = {instancePath:instancePath+"/actions/" + i2+"/content",schemaPath:"#/properties/actions/items/oneOf/0/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[0].properties.content.type,parentSchema:schema13.properties.actions.items.oneOf[0].properties.content,data:data38};
if(vErrors === null){
vErrors = [err145];
}
else {
vErrors.push(err145);
}
errors++;
}
}
}
else {
const err146 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/0/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.actions.items.oneOf[0].type,parentSchema:schema13.properties.actions.items.oneOf[0],data:data35};
if(vErrors === null){
vErrors = [err146];
}
else {
vErrors.push(err146);
}
errors++;
}
}
else if(tag1 === "UPDATE_FILE"){
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
if(data35.kind === undefined){
const err147 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/1/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema13.properties.actions.items.oneOf[1].required,parentSchema:schema13.properties.actions.items.oneOf[1],data:data35};
if(vErrors === null){
vErrors = [err147];
}
else {
vErrors.push(err147);
}
errors++;
}
if(data35.path === undefined){
const err148 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/1/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema13.properties.actions.items.oneOf[1].required,parentSchema:schema13.properties.actions.items.oneOf[1],data:data35};
if(vErrors === null){
vErrors = [err148];
}
else {
vErrors.push(err148);
}
errors++;
}
if(data35.content === undefined){
const err149 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/1/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'",schema:schema13.properties.actions.items.oneOf[1].required,parentSchema:schema13.properties.actions.items.oneOf[1],data:data35};
if(vErrors === null){
vErrors = [err149];
}
else {
vErrors.push(err149);
}
errors++;
}
for(const key11 in data35){
if(!(((key11 === "kind") || (key11 === "path")) || (key11 === "content"))){
const err150 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key11},message:"must NOT have additional properties",schema:false,parentSchema:schema13.properties.actions.items.oneOf[1],data:data35};
if(vErrors === null){
vErrors = [err150];
}
else {
vErrors.push(err150);
}
errors++;
}
}
if(data35.kind !== undefined){
let data39 = data35.kind;
if(typeof data39 !== "string"){
const err151 = {instancePath:instancePath+"/actions/" + i2+"/kind",schemaPath:"#/properties/actions/items/oneOf/1/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[1].properties.kind.type,parentSchema:schema13.properties.actions.items.oneOf[1].properties.kind,data:data39};
if(vErrors === null){
vErrors = [err151];
}
else {
vErrors.push(err151);
}
errors++;
}
if("UPDATE_FILE" !== data39){
const err152 = {instancePath:instancePath+"/actions/" + i2+"/kind",schemaPath:"#/properties/actions/items/oneOf/1/properties/kind/const",keyword:"const",params:{allowedValue: "UPDATE_FILE"},message:"must be equal to constant",schema:"UPDATE_FILE",parentSchema:schema13.properties.actions.items.oneOf[1].properties.kind,data:data39};
if(vErrors === null){
vErrors = [err152];
}
else {
vErrors.push(err152);
}
errors++;
}
}
if(data35.path !== undefined){
let data40 = data35.path;
if(typeof data40 === "string"){
if(func2(data40) > 240){
const err153 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/1/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema13.properties.actions.items.oneOf[1].properties.path,data:data40};
if(vErrors === null){
vErrors = [err153];
}
else {
vErrors.push(err153);
}
errors++;
}
if(func2(data40) < 1){
const err154 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/1/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.actions.items.oneOf[1].properties.path,data:data40};
if(vErrors === null){
vErrors = [err154];
}
else {
vErrors.push(err154);
}
errors++;
}
}
else {
const err155 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/1/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[1].properties.path.type,parentSchema:schema13.properties.actions.items.oneOf[1].properties.path,data:data40};
if(vErrors === null){
vErrors = [err155];
}
else {
vErrors.push(err155);
}
errors++;
}
}
if(data35.content !== undefined){
let data41 = data35.content;
if(typeof data41 === "string"){
if(func2(data41) > 1200000){
const err156 = {instancePath:instancePath+"/actions/" + i2+"/content",schemaPath:"#/properties/actions/items/oneOf/1/properties/content/maxLength",keyword:"maxLength",params:{limit: 1200000},message:"must NOT have more than 1200000 characters",schema:1200000,parentSchema:schema13.properties.actions.items.oneOf[1].properties.content,data:data41};
if(vErrors === null){
vErrors = [err156];
}
else {
vErrors.push(err156);
}
errors++;
}
}
else {
const err157 = {instancePath:instancePath+"/actions/" + i2+"/content",schemaPath:"#/properties/actions/items/oneOf/1/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[1].properties.content.type,parentSchema:schema13.properties.actions.items.oneOf[1].properties.content,data:data41};
if(vErrors === null){
vErrors = [err157];
}
else {
vErrors.push(err157);
}
errors++;
}
}
}
else {
const err158 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/1/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.actions.items.oneOf[1].type,parentSchema:schema13.properties.actions.items.oneOf[1],data:data35};
if(vErrors === null){
vErrors = [err158];
}
else {
vErrors.push(err158);
}
errors++;
}
}
else if(tag1 === "CREATE_DIR"){
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
if(data35.kind === undefined){
const err159 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/2/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema13.properties.actions.items.oneOf[2].required,parentSchema:schema13.properties.actions.items.oneOf[2],data:data35};
if(vErrors === null){
vErrors = [err159];
}
else {
vErrors.push(err159);
}
errors++;
}
if(data35.path === undefined){
const err160 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/2/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema13.properties.actions.items.oneOf[2].required,parentSchema:schema13.properties.actions.items.oneOf[2],data:data35};
if(vErrors === null){
vErrors = [err160];
}
else {
vErrors.push(err160);
}
errors++;
}
for(const key12 in data35){
if(!((key12 === "kind") || (key12 === "path"))){
const err161 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/2/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key12},message:"must NOT have additional properties",schema:false,parentSchema:schema13.properties.actions.items.oneOf[2],data:data35};
if(vErrors === null){
vErrors = [err161];
}
else {
vErrors.push(err161);
}
errors++;
}
}
if(data35.kind !== undefined){
let data42 = data35.kind;
if(typeof data42 !== "string"){
const err162 = {instancePath:instancePath+"/actions/" + i2+"/kind",schemaPath:"#/properties/actions/items/oneOf/2/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[2].properties.kind.type,parentSchema:schema13.properties.actions.items.oneOf[2].properties.kind,data:data42};
if(vErrors === null){
vErrors = [err162];
}
else {
vErrors.push(err162);
}
errors++;
}
if("CREATE_DIR" !== data42){
const err163 = {instancePath:instancePath+"/actions/" + i2+"/kind",schemaPath:"#/properties/actions/items/oneOf/2/properties/kind/const",keyword:"const",params:{allowedValue: "CREATE_DIR"},message:"must be equal to constant",schema:"CREATE_DIR",parentSchema:schema13.properties.actions.items.oneOf[2].properties.kind,data:data42};
if(vErrors === null){
vErrors = [err163];
}
else {
vErrors.push(err163);
}
errors++;
}
}
if(data35.path !== undefined){
let data43 = data35.path;
if(typeof data43 === "string"){
if(func2(data43) > 240){
const err164 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/2/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema13.properties.actions.items.oneOf[2].properties.path,data:data43};
if(vErrors === null){
vErrors = [err164];
}
else {
vErrors.push(err164);
}
errors++;
}
if(func2(data43) < 1){
const err165 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/2/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.actions.items.oneOf[2].properties.path,data:data43};
if(vErrors === null){
vErrors = [err165];
}
else {
vErrors.push(err165);
}
errors++;
}
}
else {
const err166 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/2/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[2].properties.path.type,parentSchema:schema13.properties.actions.items.oneOf[2].properties.path,data:data43};
if(vErrors === null){
vErrors = [err166];
}
else {
vErrors.push(err166);
}
errors++;
}
}
}
else {
const err167 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/2/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.actions.items.oneOf[2].type,parentSchema:schema13.properties.actions.items.oneOf[2],data:data35};
if(vErrors === null){
vErrors = [err167];
}
else {
vErrors.push(err167);
}
errors++;
}
}
else if(tag1 === "DELETE_FILE"){
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
if(data35.kind === undefined){
const err168 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/3/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema13.properties.actions.items.oneOf[3].required,parentSchema:schema13.properties.actions.items.oneOf[3],data:data35};
if(vErrors === null){
vErrors = [err168];
}
else {
vErrors.push(err168);
}
errors++;
}
if(data35.path === undefined){
const err169 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/3/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema13.properties.actions.items.oneOf[3].required,parentSchema:schema13.properties.actions.items.oneOf[3],data:data35};
if(vErrors === null){
vErrors = [err169];
}
else {
vErrors.push(err169);
}
errors++;
}
for(const key13 in data35){
if(!((key13 === "kind") || (key13 === "path"))){
const err170 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/3/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key13},message:"must NOT have additional properties",schema:false,parentSchema:schema13.properties.actions.items.oneOf[3],data:data35};
if(vErrors === null){
vErrors = [err170];
}
else {
vErrors.push(err170);
}
errors++;
}
}
if(data35.kind !== undefined){
let data44 = data35.kind;
if(typeof data44 !== "string"){
const err171 = {instancePath:instancePath+"/actions/" + i2+"/kind",schemaPath:"#/properties/actions/items/oneOf/3/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[3].properties.kind.type,parentSchema:schema13.properties.actions.items.oneOf[3].properties.kind,data:data44};
if(vErrors === null){
vErrors = [err171];
}
else {
vErrors.push(err171);
}
errors++;
}
if("DELETE_FILE" !== data44){
const err172 = {instancePath:instancePath+"/actions/" + i2+"/kind",schemaPath:"#/properties/actions/items/oneOf/3/properties/kind/const",keyword:"const",params:{allowedValue: "DELETE_FILE"},message:"must be equal to constant",schema:"DELETE_FILE",parentSchema:schema13.properties.actions.items.oneOf[3].properties.kind,data:data44};
if(vErrors === null){
vErrors = [err172];
}
else {
vErrors.push(err172);
}
errors++;
}
}
if(data35.path !== undefined){
let data45 = data35.path;
if(typeof data45 === "string"){
if(func2(data45) > 240){
const err173 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/3/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema13.properties.actions.items.oneOf[3].properties.path,data:data45};
if(vErrors === null){
vErrors = [err173];
}
else {
vErrors.push(err173);
}
errors++;
}
if(func2(data45) < 1){
const err174 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/3/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.actions.items.oneOf[3].properties.path,data:data45};
if(vErrors === null){
vErrors = [err174];
}
else {
vErrors.push(err174);
}
errors++;
}
}
else {
const err175 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/3/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[3].properties.path.type,parentSchema:schema13.properties.actions.items.oneOf[3].properties.path,data:data45};
if(vErrors === null){
vErrors = [err175];
}
else {
vErrors.push(err175);
}
errors++;
}
}
}
else {
const err176 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/3/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.actions.items.oneOf[3].type,parentSchema:schema13.properties.actions.items.oneOf[3],data:data35};
if(vErrors === null){
vErrors = [err176];
}
else {
vErrors.push(err176);
}
errors++;
}
}
else if(tag1 === "DELETE_DIR"){
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
if(data35.kind === undefined){
const err177 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/4/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema13.properties.actions.items.oneOf[4].required,parentSchema:schema13.properties.actions.items.oneOf[4],data:data35};
if(vErrors === null){
vErrors = [err177];
}
else {
vErrors.push(err177);
}
errors++;
}
if(data35.path === undefined){
const err178 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/4/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema13.properties.actions.items.oneOf[4].required,parentSchema:schema13.properties.actions.items.oneOf[4],data:data35};
if(vErrors === null){
vErrors = [err178];
}
else {
vErrors.push(err178);
}
errors++;
}
for(const key14 in data35){
if(!((key14 === "kind") || (key14 === "path"))){
const err179 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/4/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key14},message:"must NOT have additional properties",schema:false,parentSchema:schema13.properties.actions.items.oneOf[4],data:data35};
if(vErrors === null){
vErrors = [err179];
}
else {
vErrors.push(err179);
}
errors++;
}
}
if(data35.kind !== undefined){
let data46 = data35.kind;
if(typeof data46 !== "string"){
const err180 = {instancePath:instancePath+"/actions/" + i2+"/kind",schemaPath:"#/properties/actions/items/oneOf/4/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[4].properties.kind.type,parentSchema:schema13.properties.actions.items.oneOf[4].properties.kind,data:data46};
if(vErrors === null){
vErrors = [err180];
}
else {
vErrors.push(err180);
}
errors++;
}
if("DELETE_DIR" !== data46){
const err181 = {instancePath:instancePath+"/actions/" + i2+"/kind",schemaPath:"#/properties/actions/items/oneOf/4/properties/kind/const",keyword:"const",params:{allowedValue: "DELETE_DIR"},message:"must be equal to constant",schema:"DELETE_DIR",parentSchema:schema13.properties.actions.items.oneOf[4].properties.kind,data:data46};
if(vErrors === null){
vErrors = [err181];
}
else {
vErrors.push(err181);
}
errors++;
}
}
if(data35.path !== undefined){
let data47 = data35.path;
if(typeof data47 === "string"){
if(func2(data47) > 240){
const err182 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/4/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema13.properties.actions.items.oneOf[4].properties.path,data:data47};
if(vErrors === null){
vErrors = [err182];
}
else {
vErrors.push(err182);
}
errors++;
}
if(func2(data47) < 1){
const err183 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/4/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.actions.items.oneOf[4].properties.path,data:data47};
if(vErrors === null){
vErrors = [err183];
}
else {
vErrors.push(err183);
}
errors++;
}
}
else {
const err184 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/4/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[4].properties.path.type,parentSchema:schema13.properties.actions.items.oneOf[4].properties.path,data:data47};
if(vErrors === null){
vErrors = [err184];
}
else {
vErrors.push(err184);
}
errors++;
}
}
}
else {
const err185 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/4/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.actions.items.oneOf[4].type,parentSchema:schema13.properties.actions.items.oneOf[4],data:data35};
if(vErrors === null){
vErrors = [err185];
}
else {
vErrors.push(err185);
}
errors++;
}
}
else if(tag1 === "PATCH_FILE"){
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
if(data35.kind === undefined){
const err186 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/5/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema13.properties.actions.items.oneOf[5].required,parentSchema:schema13.properties.actions.items.oneOf[5],data:data35};
if(vErrors === null){
vErrors = [err186];
}
else {
vErrors.push(err186);
}
errors++;
}
if(data35.path === undefined){
const err187 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/5/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema13.properties.actions.items.oneOf[5].required,parentSchema:schema13.properties.actions.items.oneOf[5],data:data35};
if(vErrors === null){
vErrors = [err187];
}
else {
vErrors.push(err187);
}
errors++;
}
if(data35.patch === undefined){
const err188 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/5/required",keyword:"required",params:{missingProperty: "patch"},message:"must have required property '"+"patch"+"'",schema:schema13.properties.actions.items.oneOf[5].required,parentSchema:schema13.properties.actions.items.oneOf[5],data:data35};
if(vErrors === null){
vErrors = [err188];
}
else {
vErrors.push(err188);
}
errors++;
}
if(data35.base_sha256 === undefined){
const err189 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/5/required",keyword:"required",params:{missingProperty: "base_sha256"},message:"must have required property '"+"base_sha256"+"'",schema:schema13.properties.actions.items.oneOf[5].required,parentSchema:schema13.properties.actions.items.oneOf[5],data:data35};
if(vErrors === null){
vErrors = [err189];
}
else {
vErrors.push(err189);
}
errors++;
}
for(const key15 in data35){
if(!((((key15 === "kind") || (key15 === "path")) || (key15 === "patch")) || (key15 === "base_sha256"))){
const err190 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/5/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key15},message:"must NOT have additional properties",schema:false,parentSchema:schema13.properties.actions.items.oneOf[5],data:data35};
if(vErrors === null){
vErrors = [err190];
}
else {
vErrors.push(err190);
}
errors++;
}
}
if(data35.kind !== undefined){
let data48 = data35.kind;
if(typeof data48 !== "string"){
const err191 = {instancePath:instancePath+"/actions/" + i2+"/kind",schemaPath:"#/properties/actions/items/oneOf/5/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[5].properties.kind.type,parentSchema:schema13.properties.actions.items.oneOf[5].properties.kind,data:data48};
if(vErrors === null){
vErrors = [err191];
}
else {
vErrors.push(err191);
}
errors++;
}
if("PATCH_FILE" !== data48){
const err192 = {instancePath:instancePath+"/actions/" + i2+"/kind",schemaPath:"#/properties/actions/items/oneOf/5/properties/kind/const",keyword:"const",params:{allowedValue: "PATCH_FILE"},message:"must be equal to constant",schema:"PATCH_FILE",parentSchema:schema13.properties.actions.items.oneOf[5].properties.kind,data:data48};
if(vErrors === null){
vErrors = [err192];
}
else {
vErrors.push(err192);
}
errors++;
}
}
if(data35.path !== undefined){
let data49 = data35.path;
if(typeof data49 === "string"){
if(func2(data49) > 240){
const err193 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/5/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema13.properties.actions.items.oneOf[5].properties.path,data:data49};
if(vErrors === null){
vErrors = [err193];
}
else {
vErrors.push(err193);
}
errors++;
}
if(func2(data49) < 1){
const err194 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/5/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.actions.items.oneOf[5].properties.path,data:data49};
if(vErrors === null){
vErrors = [err194];
}
else {
vErrors.push(err194);
}
errors++;
}
}
else {
const err195 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/5/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[5].properties.path.type,parentSchema:schema13.properties.actions.items.oneOf[5].properties.path,data:data49};
if(vErrors === null){
vErrors = [err195];
}
else {
vErrors.push(err195);
}
errors++;
}
}
if(data35.patch !== undefined){
let data50 = data35.patch;
if(typeof data50 === "string"){
if(func2(data50) > 1200000){
const err196 = {instancePath:instancePath+"/actions/" + i2+"/patch",schemaPath:"#/properties/actions/items/oneOf/5/properties/patch/maxLength",keyword:"maxLength",params:{limit: 1200000},message:"must NOT have more than 1200000 characters",schema:1200000,parentSchema:schema13.properties.actions.items.oneOf[5].properties.patch,data:data50};
if(vErrors === null){
vErrors = [err196];
}
else {
vErrors.push(err196);
}
errors++;
}
}
else {
const err197 = {instancePath:instancePath+"/actions/" + i2+"/patch",schemaPath:"#/properties/actions/items/oneOf/5/properties/patch/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[5].properties.patch.type,parentSchema:schema13.properties.actions.items.oneOf[5].properties.patch,data:data50};
if(vErrors === null){
vErrors = [err197];
}
else {
vErrors.push(err197);
}
errors++;
}
}
if(data35.base_sha256 !== undefined){
let data51 = data35.base_sha256;
if(typeof data51 === "string"){
if(!pattern0.test(data51)){
const err198 = {instancePath:instancePath+"/actions/" + i2+"/base_sha256",schemaPath:"#/properties/actions/items/oneOf/5/properties/base_sha256/pattern",keyword:"pattern",params:{pattern: "^[a-f0-9]{64}$"},message:"must match pattern \""+"^[a-f0-9]{64}$"+"\"",schema:"^[a-f0-9]{64}$",parentSchema:schema13.properties.actions.items.oneOf[5].properties.base_sha256,data:data51};
if(vErrors === null){
vErrors = [err198];
}
else {
vErrors.push(err198);
}
errors++;
}
}
else {
const err199 = {instancePath:instancePath+"/actions/" + i2+"/base_sha256",schemaPath:"#/properties/actions/items/oneOf/5/properties/base_sha256/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[5].properties.base_sha256.type,parentSchema:schema13.properties.actions.items.oneOf[5].properties.base_sha256,data:data51};
if(vErrors === null){
vErrors = [err199];
}
else {
vErrors.push(err199);
}
errors++;
}
}
}
else {
const err200 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/5/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.actions.items.oneOf[5].type,parentSchema:schema13.properties.actions.items.oneOf[5],data:data35};
if(vErrors === null){
vErrors = [err200];
}
else {
vErrors.push(err200);
}
errors++;
}
}
else if(tag1 === "REPLACE_RANGE"){
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
if(data35.kind === undefined){
const err201 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/6/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema13.properties.actions.items.oneOf[6].required,parentSchema:schema13.properties.actions.items.oneOf[6],data:data35};
if(vErrors === null){
vErrors = [err201];
}
else {
vErrors.push(err201);
}
errors++;
}
if(data35.path === undefined){
const err202 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/6/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema13.properties.actions.items.oneOf[6].required,parentSchema:schema13.properties.actions.items.oneOf[6],data:data35};
if(vErrors === null){
vErrors = [err202];
}
else {
vErrors.push(err202);
}
errors++;
}
if(data35.base_sha256 === undefined){
const err203 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/6/required",keyword:"required",params:{missingProperty: "base_sha256"},message:"must have required property '"+"base_sha256"+"'",schema:schema13.properties.actions.items.oneOf[6].required,parentSchema:schema13.properties.actions.items.oneOf[6],data:data35};
if(vErrors === null){
vErrors = [err203];
}
else {
vErrors.push(err203);
}
errors++;
}
if(data35.start_line === undefined){
const err204 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/6/required",keyword:"required",params:{missingProperty: "start_line"},message:"must have required property '"+"start_line"+"'",schema:schema13.properties.actions.items.oneOf[6].required,parentSchema:schema13.properties.actions.items.oneOf[6],data:data35};
if(vErrors === null){
vErrors = [err204];
}
else {
vErrors.push(err204);
}
errors++;
}
if(data35.end_line === undefined){
const err205 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/6/required",keyword:"required",params:{missingProperty: "end_line"},message:"must have required property '"+"end_line"+"'",schema:schema13.properties.actions.items.oneOf[6].required,parentSchema:schema13.properties.actions.items.oneOf[6],data:data35};
if(vErrors === null){
vErrors = [err205];
}
else {
vErrors.push(err205);
}
errors++;
}
if(data35.content === undefined){
const err206 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/6/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'",schema:schema13.properties.actions.items.oneOf[6].required,parentSchema:schema13.properties.actions.items.oneOf[6],data:data35};
if(vErrors === null){
vErrors = [err206];
}
else {
vErrors.push(err206);
}
errors++;
}
for(const key16 in data35){
if(!((((((key16 === "kind") || (key16 === "path")) || (key16 === "base_sha256")) || (key16 === "start_line")) || (key16 === "end_line")) || (key16 === "content"))){
const err207 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/6/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key16},message:"must NOT have additional properties",schema:false,parentSchema:schema13.properties.actions.items.oneOf[6],data:data35};
if(vErrors === null){
vErrors = [err207];
}
else {
vErrors.push(err207);
}
errors++;
}
}
if(data35.kind !== undefined){
let data52 = data35.kind;
if(typeof data52 !== "string"){
const err208 = {instancePath:instancePath+"/actions/" + i2+"/kind",schemaPath:"#/properties/actions/items/oneOf/6/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[6].properties.kind.type,parentSchema:schema13.properties.actions.items.oneOf[6].properties.kind,data:data52};
if(vErrors === null){
vErrors = [err208];
}
else {
vErrors.push(err208);
}
errors++;
}
if("REPLACE_RANGE" !== data52){
const err209 = {instancePath:instancePath+"/actions/" + i2+"/kind",schemaPath:"#/properties/actions/items/oneOf/6/properties/kind/const",keyword:"const",params:{allowedValue: "REPLACE_RANGE"},message:"must be equal to constant",schema:"REPLACE_RANGE",parentSchema:schema13.properties.actions.items.oneOf[6].properties.kind,data:data52};
if(vErrors === null){
vErrors = [err209];
}
else {
vErrors.push(err209);
}
errors++;
}
}
if(data35.path !== undefined){
let data53 = data35.path;
if(typeof data53 === "string"){
if(func2(data53) > 240){
const err210 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/6/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema13.properties.actions.items.oneOf[6].properties.path,data:data53};
if(vErrors === null){
vErrors = [err210];
}
else {
vErrors.push(err210);
}
errors++;
}
if(func2(data53) < 1){
const err211 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/6/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.actions.items.oneOf[6].properties.path,data:data53};
if(vErrors === null){
vErrors = [err211];
}
else {
vErrors.push(err211);
}
errors++;
}
}
else {
const err212 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/6/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[6].properties.path.type,parentSchema:schema13.properties.actions.items.oneOf[6].properties.path,data:data53};
if(vErrors === null){
vErrors = [err212];
}
else {
vErrors.push(err212);
}
errors++;
}
}
if(data35.base_sha256 !== undefined){
let data54 = data35.base_sha256;
if(typeof data54 === "string"){
if(!pattern0.test(data54)){
const err213 = {instancePath:instancePath+"/actions/" + i2+"/base_sha256",schemaPath:"#/properties/actions/items/oneOf/6/properties/base_sha256/pattern",keyword:"pattern",params:{pattern: "^[a-f0-9]{64}$"},message:"must match pattern \""+"^[a-f0-9]{64}$"+"\"",schema:"^[a-f0-9]{64}$",parentSchema:schema13.properties.actions.items.oneOf[6].properties.base_sha256,data:data54};
if(vErrors === null){
vErrors = [err213];
}
else {
vErrors.push(err213);
}
errors++;
}
}
else {
const err214 = {instancePath:instancePath+"/actions/" + i2+"/base_sha256",schemaPath:"#/properties/actions/items/oneOf/6/properties/base_sha256/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[6].properties.base_sha256.type,parentSchema:schema13.properties.actions.items.oneOf[6].properties.base_sha256,data:data54};
if(vErrors === null){
vErrors = [err214];
}
else {
vErrors.push(err214);
}
errors++;
}
}
if(data35.start_line !== undefined){
let data55 = data35.start_line;
if(!((typeof data55 == "number") && (!(data55 % 1) && !isNaN(data55)))){
const err215 = {instancePath:instancePath+"/actions/" + i2+"/start_line",schemaPath:"#/properties/actions/items/oneOf/6/properties/start_line/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema13.properties.actions.items.oneOf[6].properties.start_line.type,parentSchema:schema13.properties.actions.items.oneOf[6].properties.start_line,data:data55};
if(vErrors === null){
vErrors = [err215];
}
else {
vErrors.push(err215);
}
errors++;
}
if(typeof data55 == "number"){
if(data55 < 1 || isNaN(data55)){
const err216 = {instancePath:instancePath+"/actions/" + i2+"/start_line",schemaPath:"#/properties/actions/items/oneOf/6/properties/start_line/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema13.properties.actions.items.oneOf[6].properties.start_line,data:data55};
if(vErrors === null){
vErrors = [err216];
}
else {
vErrors.push(err216);
}
errors++;
}
}
}
if(data35.end_line !== undefined){
let data56 = data35.end_line;
if(!((typeof data56 == "number") && (!(data56 % 1) && !isNaN(data56)))){
const err217 = {instancePath:instancePath+"/actions/" + i2+"/end_line",schemaPath:"#/properties/actions/items/oneOf/6/properties/end_line/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema13.properties.actions.items.oneOf[6].properties.end_line.type,parentSchema:schema13.properties.actions.items.oneOf[6].properties.end_line,data:data56};
if(vErrors === null){
vErrors = [err217];
}
else {
vErrors.push(err217);
}
errors++;
}
if(typeof data56 == "number"){
if(data56 < 0 || isNaN(data56)){
const err218 = {instancePath:instancePath+"/actions/" + i2+"/end_line",schemaPath:"#/properties/actions/items/oneOf/6/properties/end_line/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema13.properties.actions.items.oneOf[6].properties.end_line,data:data56};
if(vErrors === null){
vErrors = [err218];
}
else {
vErrors.push(err218);
}
errors++;
}
}
}
if(data35.content !== undefined){
let data57 = data35.content;
if(typeof data57 === "string"){
if(func2(data57) > 1200000){
const err219 = {instancePath:instancePath+"/actions/" + i2+"/content",schemaPath:"#/properties/actions/items/oneOf/6/properties/content/maxLength",keyword:"maxLength",params:{limit: 1200000},message:"must NOT have more than 1200000 characters",schema:1200000,parentSchema:schema13.properties.actions.items.oneOf[6].properties.content,data:data57};
if(vErrors === null){
vErrors = [err219];
}
else {
vErrors.push(err219);
}
errors++;
}
}
else {
const err220 = {instancePath:instancePath+"/actions/" + i2+"/content",schemaPath:"#/properties/actions/items/oneOf/6/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[6].properties.content.type,parentSchema:schema13.properties.actions.items.oneOf[6].properties.content,data:data57};
if(vErrors === null){
vErrors = [err220];
}
else {
vErrors.push(err220);
}
errors++;
}
}
}
else {
const err221 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/6/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.actions.items.oneOf[6].type,parentSchema:schema13.properties.actions.items.oneOf[6],data:data35};
if(vErrors === null){
vErrors = [err221];
}
else {
vErrors.push(err221);
}
errors++;
}
}
else if(tag1 === "EDIT_FILE"){
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
if(data35.kind === undefined){
const err222 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/7/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema13.properties.actions.items.oneOf[7].required,parentSchema:schema13.properties.actions.items.oneOf[7],data:data35};
if(vErrors === null){
vErrors = [err222];
}
else {
vErrors.push(err222);
}
errors++;
}
if(data35.path === undefined){
const err223 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/7/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema13.properties.actions.items.oneOf[7].required,parentSchema:schema13.properties.actions.items.oneOf[7],data:data35};
if(vErrors === null){
vErrors = [err223];
}
else {
vErrors.push(err223);
}
errors++;
}
if(data35.base_sha256 === undefined){
const err224 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/7/required",keyword:"required",params:{missingProperty: "base_sha256"},message:"must have required property '"+"base_sha256"+"'",schema:schema13.properties.actions.items.oneOf[7].required,parentSchema:schema13.properties.actions.items.oneOf[7],data:data35};
if(vErrors === null){
vErrors = [err224];
}
else {
vErrors.push(err224);
}
errors++;
}
if(data35.edits === undefined){
const err225 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/7/required",keyword:"required",params:{missingProperty: "edits"},message:"must have required property '"+"edits"+"'",schema:schema13.properties.actions.items.oneOf[7].required,parentSchema:schema13.properties.actions.items.oneOf[7],data:data35};
if(vErrors === null){
vErrors = [err225];
}
else {
vErrors.push(err225);
}
errors++;
}
for(const key17 in data35){
if(!((((key17 === "kind") || (key17 === "path")) || (key17 === "base_sha256")) || (key17 === "edits"))){
const err226 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/7/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key17},message:"must NOT have additional properties",schema:false,parentSchema:schema13.properties.actions.items.oneOf[7],data:data35};
if(vErrors === null){
vErrors = [err226];
}
else {
vErrors.push(err226);
}
errors++;
}
}
if(data35.kind !== undefined){
let data58 = data35.kind;
if(typeof data58 !== "string"){
const err227 = {instancePath:instancePath+"/actions/" + i2+"/kind",schemaPath:"#/properties/actions/items/oneOf/7/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[7].properties.kind.type,parentSchema:schema13.properties.actions.items.oneOf[7].properties.kind,data:data58};
if(vErrors === null){
vErrors = [err227];
}
else {
vErrors.push(err227);
}
errors++;
}
if("EDIT_FILE" !== data58){
const err228 = {instancePath:instancePath+"/actions/" + i2+"/kind",schemaPath:"#/properties/actions/items/oneOf/7/properties/kind/const",keyword:"const",params:{allowedValue: "EDIT_FILE"},message:"must be equal to constant",schema:"EDIT_FILE",parentSchema:schema13.properties.actions.items.oneOf[7].properties.kind,data:data58};
if(vErrors === null){
vErrors = [err228];
}
else {
vErrors.push(err228);
}
errors++;
}
}
if(data35.path !== undefined){
let data59 = data35.path;
if(typeof data59 === "string"){
if(func2(data59) > 240){
const err229 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/7/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema13.properties.actions.items.oneOf[7].properties.path,data:data59};
if(vErrors === null){
vErrors = [err229];
}
else {
vErrors.push(err229);
}
errors++;
}
if(func2(data59) < 1){
const err230 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/7/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.actions.items.oneOf[7].properties.path,data:data59};
if(vErrors === null){
vErrors = [err230];
}
else {
vErrors.push(err230);
}
errors++;
}
}
else {
const err231 = {instancePath:instancePath+"/actions/" + i2+"/path",schemaPath:"#/properties/actions/items/oneOf/7/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[7].properties.path.type,parentSchema:schema13.properties.actions.items.oneOf[7].properties.path,data:data59};
if(vErrors === null){
vErrors = [err231];
}
else {
vErrors.push(err231);
}
errors++;
}
}
if(data35.base_sha256 !== undefined){
let data60 = data35.base_sha256;
if(typeof data60 === "string"){
if(!pattern0.test(data60)){
const err232 = {instancePath:instancePath+"/actions/" + i2+"/base_sha256",schemaPath:"#/properties/actions/items/oneOf/7/properties/base_sha256/pattern",keyword:"pattern",params:{pattern: "^[a-f0-9]{64}$"},message:"must match pattern \""+"^[a-f0-9]{64}$"+"\"",schema:"^[a-f0-9]{64}$",parentSchema:schema13.properties.actions.items.oneOf[7].properties.base_sha256,data:data60};
if(vErrors === null){
vErrors = [err232];
}
else {
vErrors.push(err232);
}
errors++;
}
}
else {
const err233 = {instancePath:instancePath+"/actions/" + i2+"/base_sha256",schemaPath:"#/properties/actions/items/oneOf/7/properties/base_sha256/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[7].properties.base_sha256.type,parentSchema:schema13.properties.actions.items.oneOf[7].properties.base_sha256,data:data60};
if(vErrors === null){
vErrors = [err233];
}
else {
vErrors.push(err233);
}
errors++;
}
}
if(data35.edits !== undefined){
let data61 = data35.edits;
if(Array.isArray(data61)){
if(data61.length > 50){
const err234 = {instancePath:instancePath+"/actions/" + i2+"/edits",schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items",schema:50,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits,data:data61};
if(vErrors === null){
vErrors = [err234];
}
else {
vErrors.push(err234);
}
errors++;
}
if(data61.length < 1){
const err235 = {instancePath:instancePath+"/actions/" + i2+"/edits",schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits,data:data61};
if(vErrors === null){
vErrors = [err235];
}
else {
vErrors.push(err235);
}
errors++;
}
const len3 = data61.length;
for(let i3=0; i3<len3; i3++){
let data62 = data61[i3];
if(data62 && typeof data62 == "object" && !Array.isArray(data62)){
if(data62.op === undefined){
const err236 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3,schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/required",keyword:"required",params:{missingProperty: "op"},message:"must have required property '"+"op"+"'",schema:schema13.properties.actions.items.oneOf[7].properties.edits.items.required,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items,data:data62};
if(vErrors === null){
vErrors = [err236];
}
else {
vErrors.push(err236);
}
errors++;
}
if(data62.anchor === undefined){
const err237 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3,schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/required",keyword:"required",params:{missingProperty: "anchor"},message:"must have required property '"+"anchor"+"'",schema:schema13.properties.actions.items.oneOf[7].properties.edits.items.required,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items,data:data62};
if(vErrors === null){
vErrors = [err237];
}
else {
vErrors.push(err237);
}
errors++;
}
if(data62.before === undefined){
const err238 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3,schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/required",keyword:"required",params:{missingProperty: "before"},message:"must have required property '"+"before"+"'",schema:schema13.properties.actions.items.oneOf[7].properties.edits.items.required,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items,data:data62};
if(vErrors === null){
vErrors = [err238];
}
else {
vErrors.push(err238);
}
errors++;
}
if(data62.after === undefined){
const err239 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3,schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/required",keyword:"required",params:{missingProperty: "after"},message:"must have required property '"+"after"+"'",schema:schema13.properties.actions.items.oneOf[7].properties.edits.items.required,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items,data:data62};
if(vErrors === null){
vErrors = [err239];
}
else {
vErrors.push(err239);
}
errors++;
}
for(const key18 in data62){
if(!((((((key18 === "op") || (key18 === "anchor")) || (key18 === "before")) || (key18 === "after")) || (key18 === "occurrence")) || (key18 === "context_lines"))){
const err240 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3,schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key18},message:"must NOT have additional properties",schema:false,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items,data:data62};
if(vErrors === null){
vErrors = [err240];
}
else {
vErrors.push(err240);
}
errors++;
}
}
if(data62.op !== undefined){
let data63 = data62.op;
if(typeof data63 !== "string"){
const err241 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3+"/op",schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/properties/op/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.op.type,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.op,data:data63};
if(vErrors === null){
vErrors = [err241];
}
else {
vErrors.push(err241);
}
errors++;
}
if("replace" !== data63){
const err242 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3+"/op",schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/properties/op/const",keyword:"const",params:{allowedValue: "replace"},message:"must be equal to constant",schema:"replace",parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.op,data:data63};
if(vErrors === null){
vErrors = [err242];
}
else {
vErrors.push(err242);
}
errors++;
}
}
if(data62.anchor !== undefined){
let data64 = data62.anchor;
if(typeof data64 === "string"){
if(func2(data64) > 256){
const err243 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3+"/anchor",schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/properties/anchor/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters",schema:256,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.anchor,data:data64};
if(vErrors === null){
vErrors = [err243];
}
else {
vErrors.push(err243);
}
errors++;
}
if(func2(data64) < 1){
const err244 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3+"/anchor",schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/properties/anchor/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.anchor,data:data64};
if(vErrors === null){
vErrors = [err244];
}
else {
vErrors.push(err244);
}
errors++;
}
}
else {
const err245 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3+"/anchor",schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/properties/anchor/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.anchor.type,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.anchor,data:data64};
if(vErrors === null){
vErrors = [err245];
}
else {
vErrors.push(err245);
}
errors++;
}
}
if(data62.before !== undefined){
let data65 = data62.before;
if(typeof data65 === "string"){
if(func2(data65) > 50000){
const err246 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3+"/before",schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/properties/before/maxLength",keyword:"maxLength",params:{limit: 50000},message:"must NOT have more than 50000 characters",schema:50000,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.before,data:data65};
if(vErrors === null){
vErrors = [err246];
}
else {
vErrors.push(err246);
}
errors++;
}
if(func2(data65) < 1){
const err247 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3+"/before",schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/properties/before/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.before,data:data65};
if(vErrors === null){
vErrors = [err247];
}
else {
vErrors.push(err247);
}
errors++;
}
}
else {
const err248 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3+"/before",schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/properties/before/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.before.type,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.before,data:data65};
if(vErrors === null){
vErrors = [err248];
}
else {
vErrors.push(err248);
}
errors++;
}
}
if(data62.after !== undefined){
let data66 = data62.after;
if(typeof data66 === "string"){
if(func2(data66) > 50000){
const err249 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3+"/after",schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/properties/after/maxLength",keyword:"maxLength",params:{limit: 50000},message:"must NOT have more than 50000 characters",schema:50000,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.after,data:data66};
if(vErrors === null){
vErrors = [err249];
}
else {
vErrors.push(err249);
}
errors++;
}
}
else {
const err250 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3+"/after",schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/properties/after/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.after.type,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.after,data:data66};
if(vErrors === null){
vErrors = [err250];
}
else {
vErrors.push(err250);
}
errors++;
}
}
if(data62.occurrence !== undefined){
let data67 = data62.occurrence;
if(!((typeof data67 == "number") && (!(data67 % 1) && !isNaN(data67)))){
const err251 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3+"/occurrence",schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/properties/occurrence/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.occurrence.type,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.occurrence,data:data67};
if(vErrors === null){
vErrors = [err251];
}
else {
vErrors.push(err251);
}
errors++;
}
if(typeof data67 == "number"){
if(data67 > 1000 || isNaN(data67)){
const err252 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3+"/occurrence",schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/properties/occurrence/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000",schema:1000,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.occurrence,data:data67};
if(vErrors === null){
vErrors = [err252];
}
else {
vErrors.push(err252);
}
errors++;
}
if(data67 < 1 || isNaN(data67)){
const err253 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3+"/occurrence",schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/properties/occurrence/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.occurrence,data:data67};
if(vErrors === null){
vErrors = [err253];
}
else {
vErrors.push(err253);
}
errors++;
}
}
}
if(data62.context_lines !== undefined){
let data68 = data62.context_lines;
if(!((typeof data68 == "number") && (!(data68 % 1) && !isNaN(data68)))){
const err254 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3+"/context_lines",schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/properties/context_lines/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.context_lines.type,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.context_lines,data:data68};
if(vErrors === null){
vErrors = [err254];
}
else {
vErrors.push(err254);
}
errors++;
}
if(typeof data68 == "number"){
if(data68 > 3 || isNaN(data68)){
const err255 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3+"/context_lines",schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/properties/context_lines/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3},message:"must be <= 3",schema:3,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.context_lines,data:data68};
if(vErrors === null){
vErrors = [err255];
}
else {
vErrors.push(err255);
}
errors++;
}
if(data68 < 0 || isNaN(data68)){
const err256 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3+"/context_lines",schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/properties/context_lines/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items.properties.context_lines,data:data68};
if(vErrors === null){
vErrors = [err256];
}
else {
vErrors.push(err256);
}
errors++;
}
}
}
}
else {
const err257 = {instancePath:instancePath+"/actions/" + i2+"/edits/" + i3,schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.actions.items.oneOf[7].properties.edits.items.type,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits.items,data:data62};
if(vErrors === null){
vErrors = [err257];
}
else {
vErrors.push(err257);
}
errors++;
}
}
}
else {
const err258 = {instancePath:instancePath+"/actions/" + i2+"/edits",schemaPath:"#/properties/actions/items/oneOf/7/properties/edits/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema13.properties.actions.items.oneOf[7].properties.edits.type,parentSchema:schema13.properties.actions.items.oneOf[7].properties.edits,data:data61};
if(vErrors === null){
vErrors = [err258];
}
else {
vErrors.push(err258);
}
errors++;
}
}
}
else {
const err259 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/oneOf/7/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.actions.items.oneOf[7].type,parentSchema:schema13.properties.actions.items.oneOf[7],data:data35};
if(vErrors === null){
vErrors = [err259];
}
else {
vErrors.push(err259);
}
errors++;
}
}
else {
const err260 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "kind", tagValue: tag1},message:"value of tag \"kind\" must be in oneOf",schema:schema13.properties.actions.items.discriminator,parentSchema:schema13.properties.actions.items,data:data35};
if(vErrors === null){
vErrors = [err260];
}
else {
vErrors.push(err260);
}
errors++;
}
}
else {
const err261 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/discriminator",keyword:"discriminator",params:{error: "tag", tag: "kind", tagValue: tag1},message:"tag \"kind\" must be string",schema:schema13.properties.actions.items.discriminator,parentSchema:schema13.properties.actions.items,data:data35};
if(vErrors === null){
vErrors = [err261];
}
else {
vErrors.push(err261);
}
errors++;
}
}
else {
const err262 = {instancePath:instancePath+"/actions/" + i2,schemaPath:"#/properties/actions/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.actions.items.type,parentSchema:schema13.properties.actions.items,data:data35};
if(vErrors === null){
vErrors = [err262];
}
else {
vErrors.push(err262);
}
errors++;
}
}
}
else {
const err263 = {instancePath:instancePath+"/actions",schemaPath:"#/properties/actions/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema13.properties.actions.type,parentSchema:schema13.properties.actions,data:data34};
if(vErrors === null){
vErrors = [err263];
}
else {
vErrors.push(err263);
}
errors++;
}
}
if(data.summary !== undefined){
let data69 = data.summary;
if(typeof data69 === "string"){
if(func2(data69) > 8000){
const err264 = {instancePath:instancePath+"/summary",schemaPath:"#/properties/summary/maxLength",keyword:"maxLength",params:{limit: 8000},message:"must NOT have more than 8000 characters",schema:8000,parentSchema:schema13.properties.summary,data:data69};
if(vErrors === null){
vErrors = [err264];
}
else {
vErrors.push(err264);
}
errors++;
}
}
else {
const err265 = {instancePath:instancePath+"/summary",schemaPath:"#/properties/summary/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.summary.type,parentSchema:schema13.properties.summary,data:data69};
if(vErrors === null){
vErrors = [err265];
}
else {
vErrors.push(err265);
}
errors++;
}
}
if(data.context_requests !== undefined){
let data70 = data.context_requests;
if(Array.isArray(data70)){
if(data70.length > 64){
const err266 = {instancePath:instancePath+"/context_requests",schemaPath:"#/properties/context_requests/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items",schema:64,parentSchema:schema13.properties.context_requests,data:data70};
if(vErrors === null){
vErrors = [err266];
}
else {
vErrors.push(err266);
}
errors++;
}
const len4 = data70.length;
for(let i4=0; i4<len4; i4++){
let data71 = data70[i4];
if(data71 && typeof data71 == "object" && !Array.isArray(data71)){
if(data71.type === undefined){
const err267 = {instancePath:instancePath+"/context_requests/" + i4,schemaPath:"#/properties/context_requests/items/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'",schema:schema13.properties.context_requests.items.required,parentSchema:schema13.properties.context_requests.items,data:data71};
if(vErrors === null){
vErrors = [err267];
}
else {
vErrors.push(err267);
}
errors++;
}
const tag2 = data71.type;
if(typeof tag2 == "string"){
if(tag2 === "read_file"){
if(data71 && typeof data71 == "object" && !Array.isArray(data71)){
if(data71.type === undefined){
const err268 = {instancePath:instancePath+"/context_requests/" + i4,schemaPath:"#/properties/context_requests/items/oneOf/0/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'",schema:schema13.properties.context_requests.items.oneOf[0].required,parentSchema:schema13.properties.context_requests.items.oneOf[0],data:data71};
if(vErrors === null){
vErrors = [err268];
}
else {
vErrors.push(err268);
}
errors++;
}
if(data71.path === undefined){
const err269 = {instancePath:instancePath+"/context_requests/" + i4,schemaPath:"#/properties/context_requests/items/oneOf/0/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema13.properties.context_requests.items.oneOf[0].required,parentSchema:schema13.properties.context_requests.items.oneOf[0],data:data71};
if(vErrors === null){
vErrors = [err269];
}
else {
vErrors.push(err269);
}
errors++;
}
for(const key19 in data71){
if(!((((key19 === "type") || (key19 === "path")) || (key19 === "start_line")) || (key19 === "end_line"))){
const err270 = {instancePath:instancePath+"/context_requests/" + i4,schemaPath:"#/properties/context_requests/items/oneOf/0/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key19},message:"must NOT have additional properties",schema:false,parentSchema:schema13.properties.context_requests.items.oneOf[0],data:data71};
if(vErrors === null){
vErrors = [err270];
}
else {
vErrors.push(err270);
}
errors++;
}
}
if(data71.type !== undefined){
let data72 = data71.type;
if(typeof data72 !== "string"){
const err271 = {instancePath:instancePath+"/context_requests/" + i4+"/type",schemaPath:"#/properties/context_requests/items/oneOf/0/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.context_requests.items.oneOf[0].properties.type.type,parentSchema:schema13.properties.context_requests.items.oneOf[0].properties.type,data:data72};
if(vErrors === null){
vErrors = [err271];
}
else {
vErrors.push(err271);
}
errors++;
}
if("read_file" !== data72){
const err272 = {instancePath:instancePath+"/context_requests/" + i4+"/type",schemaPath:"#/properties/context_requests/items/oneOf/0/properties/type/const",keyword:"const",params:{allowedValue: "read_file"},message:"must be equal to constant",schema:"read_file",parentSchema:schema13.properties.context_requests.items.oneOf[0].properties.type,data:data72};
if(vErrors === null){
vErrors = [err272];
}
else {
vErrors.push(err272);
}
errors++;
}
}
if(data71.path !== undefined){
let data73 = data71.path;
if(typeof data73 === "string"){
if(func2(data73) > 240){
const err273 = {instancePath:instancePath+"/context_requests/" + i4+"/path",schemaPath:"#/properties/context_requests/items/oneOf/0/properties/path/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema13.properties.context_requests.items.oneOf[0].properties.path,data:data73};
if(vErrors === null){
vErrors = [err273];
}
else {
vErrors.push(err273);
}
errors++;
}
if(func2(data73) < 1){
const err274 = {instancePath:instancePath+"/context_requests/" + i4+"/path",schemaPath:"#/properties/context_requests/items/oneOf/0/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.context_requests.items.oneOf[0].properties.path,data:data73};
if(vErrors === null){
vErrors = [err274];
}
else {
vErrors.push(err274);
}
errors++;
}
}
else {
const err275 = {instancePath:instancePath+"/context_requests/" + i4+"/path",schemaPath:"#/properties/context_requests/items/oneOf/0/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.context_requests.items.oneOf[0].properties.path.type,parentSchema:schema13.properties.context_requests.items.oneOf[0].properties.path,data:data73};
if(vErrors === null){
vErrors = [err275];
}
else {
vErrors.push(err275);
}
errors++;
}
}
if(data71.start_line !== undefined){
let data74 = data71.start_line;
if(!((typeof data74 == "number") && (!(data74 % 1) && !isNaN(data74)))){
const err276 = {instancePath:instancePath+"/context_requests/" + i4+"/start_line",schemaPath:"#/properties/context_requests/items/oneOf/0/properties/start_line/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema13.properties.context_requests.items.oneOf[0].properties.start_line.type,parentSchema:schema13.properties.context_requests.items.oneOf[0].properties.start_line,data:data74};
if(vErrors === null){
vErrors = [err276];
}
else {
vErrors.push(err276);
}
errors++;
}
if(typeof data74 == "number"){
if(data74 < 1 || isNaN(data74)){
const err277 = {instancePath:instancePath+"/context_requests/" + i4+"/start_line",schemaPath:"#/properties/context_requests/items/oneOf/0/properties/start_line/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema13.properties.context_requests.items.oneOf[0].properties.start_line,data:data74};
if(vErrors === null){
vErrors = [err277];
}
else {
vErrors.push(err277);
}
errors++;
}
}
}
if(data71.end_line !== undefined){
let data75 = data71.end_line;
if(!((typeof data75 == "number") && (!(data75 % 1) && !isNaN(data75)))){
const err278 = {instancePath:instancePath+"/context_requests/" + i4+"/end_line",schemaPath:"#/properties/context_requests/items/oneOf/0/properties/end_line/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema13.properties.context_requests.items.oneOf[0].properties.end_line.type,parentSchema:schema13.properties.context_requests.items.oneOf[0].properties.end_line,data:data75};
if(vErrors === null){
vErrors = [err278];
}
else {
vErrors.push(err278);
}
errors++;
}
if(typeof data75 == "number"){
if(data75 < 1 || isNaN(data75)){
const err279 = {instancePath:instancePath+"/context_requests/" + i4+"/end_line",schemaPath:"#/properties/context_requests/items/oneOf/0/properties/end_line/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema13.properties.context_requests.items.oneOf[0].properties.end_line,data:data75};
if(vErrors === null){
vErrors = [err279];
}
else {
vErrors.push(err279);
}
errors++;
}
}
}
}
else {
const err280 = {instancePath:instancePath+"/context_requests/" + i4,schemaPath:"#/properties/context_requests/items/oneOf/0/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.context_requests.items.oneOf[0].type,parentSchema:schema13.properties.context_requests.items.oneOf[0],data:data71};
if(vErrors === null){
vErrors = [err280];
}
else {
vErrors.push(err280);
}
errors++;
}
}
else if(tag2 === "search"){
if(data71 && typeof data71 == "object" && !Array.isArray(data71)){
if(data71.type === undefined){
const err281 = {instancePath:instancePath+"/context_requests/" + i4,schemaPath:"#/properties/context_requests/items/oneOf/1/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'",schema:schema13.properties.context_requests.items.oneOf[1].required,parentSchema:schema13.properties.context_requests.items.oneOf[1],data:data71};
if(vErrors === null){
vErrors = [err281];
}
else {
vErrors.push(err281);
}
errors++;
}
if(data71.query === undefined){
const err282 = {instancePath:instancePath+"/context_requests/" + i4,schemaPath:"#/properties/context_requests/items/oneOf/1/required",keyword:"required",params:{missingProperty: "query"},message:"must have required property '"+"query"+"'",schema:schema13.properties.context_requests.items.oneOf[1].required,parentSchema:schema13.properties.context_requests.items.oneOf[1],data:data71};
if(vErrors === null){
vErrors = [err282];
}
else {
vErrors.push(err282);
}
errors++;
}
for(const key20 in data71){
if(!(((key20 === "type") || (key20 === "query")) || (key20 === "glob"))){
const err283 = {instancePath:instancePath+"/context_requests/" + i4,schemaPath:"#/properties/context_requests/items/oneOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key20},message:"must NOT have additional properties",schema:false,parentSchema:schema13.properties.context_requests.items.oneOf[1],data:data71};
if(vErrors === null){
vErrors = [err283];
}
else {
vErrors.push(err283);
}
errors++;
}
}
if(data71.type !== undefined){
let data76 = data71.type;
if(typeof data76 !== "string"){
const err284 = {instancePath:instancePath+"/context_requests/" + i4+"/type",schemaPath:"#/properties/context_requests/items/oneOf/1/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.context_requests.items.oneOf[1].properties.type.type,parentSchema:schema13.properties.context_requests.items.oneOf[1].properties.type,data:data76};
if(vErrors === null){
vErrors = [err284];
}
else {
vErrors.push(err284);
}
errors++;
}
if("search" !== data76){
const err285 = {instancePath:instancePath+"/context_requests/" + i4+"/type",schemaPath:"#/properties/context_requests/items/oneOf/1/properties/type/const",keyword:"const",params:{allowedValue: "search"},message:"must be equal to constant",schema:"search",parentSchema:schema13.properties.context_requests.items.oneOf[1].properties.type,data:data76};
if(vErrors === null){
vErrors = [err285];
}
else {
vErrors.push(err285);
}
errors++;
}
}
if(data71.query !== undefined){
let data77 = data71.query;
if(typeof data77 === "string"){
if(func2(data77) > 2000){
const err286 = {instancePath:instancePath+"/context_requests/" + i4+"/query",schemaPath:"#/properties/context_requests/items/oneOf/1/properties/query/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema13.properties.context_requests.items.oneOf[1].properties.query,data:data77};
if(vErrors === null){
vErrors = [err286];
}
else {
vErrors.push(err286);
}
errors++;
}
if(func2(data77) < 1){
const err287 = {instancePath:instancePath+"/context_requests/" + i4+"/query",schemaPath:"#/properties/context_requests/items/oneOf/1/properties/query/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.context_requests.items.oneOf[1].properties.query,data:data77};
if(vErrors === null){
vErrors = [err287];
}
else {
vErrors.push(err287);
}
errors++;
}
}
else {
const err288 = {instancePath:instancePath+"/context_requests/" + i4+"/query",schemaPath:"#/properties/context_requests/items/oneOf/1/properties/query/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.context_requests.items.oneOf[1].properties.query.type,parentSchema:schema13.properties.context_requests.items.oneOf[1].properties.query,data:data77};
if(vErrors === null){
vErrors = [err288];
}
else {
vErrors.push(err288);
}
errors++;
}
}
if(data71.glob !== undefined){
let data78 = data71.glob;
if(typeof data78 === "string"){
if(func2(data78) > 512){
const err289 = {instancePath:instancePath+"/context_requests/" + i4+"/glob",schemaPath:"#/properties/context_requests/items/oneOf/1/properties/glob/maxLength",keyword:"maxLength",params:{limit: 512},message:"must NOT have more than 512 characters",schema:512,parentSchema:schema13.properties.context_requests.items.oneOf[1].properties.glob,data:data78};
if(vErrors === null){
vErrors = [err289];
}
else {
vErrors.push(err289);
}
errors++;
}
if(func2(data78) < 1){
const err290 = {instancePath:instancePath+"/context_requests/" + i4+"/glob",schemaPath:"#/properties/context_requests/items/oneOf/1/properties/glob/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.context_requests.items.oneOf[1].properties.glob,data:data78};
if(vErrors === null){
vErrors = [err290];
}
else {
vErrors.push(err290);
}
errors++;
}
}
else {
const err291 = {instancePath:instancePath+"/context_requests/" + i4+"/glob",schemaPath:"#/properties/context_requests/items/oneOf/1/properties/glob/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.context_requests.items.oneOf[1].properties.glob.type,parentSchema:schema13.properties.context_requests.items.oneOf[1].properties.glob,data:data78};
if(vErrors === null){
vErrors = [err291];
}
else {
vErrors.push(err291);
}
errors++;
}
}
}
else {
const err292 = {instancePath:instancePath+"/context_requests/" + i4,schemaPath:"#/properties/context_requests/items/oneOf/1/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.context_requests.items.oneOf[1].type,parentSchema:schema13.properties.context_requests.items.oneOf[1],data:data71};
if(vErrors === null){
vErrors = [err292];
}
else {
vErrors.push(err292);
}
errors++;
}
}
else if(tag2 === "logs"){
if(data71 && typeof data71 == "object" && !Array.isArray(data71)){
if(data71.type === undefined){
const err293 = {instancePath:instancePath+"/context_requests/" + i4,schemaPath:"#/properties/context_requests/items/oneOf/2/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'",schema:schema13.properties.context_requests.items.oneOf[2].required,parentSchema:schema13.properties.context_requests.items.oneOf[2],data:data71};
if(vErrors === null){
vErrors = [err293];
}
else {
vErrors.push(err293);
}
errors++;
}
if(data71.source === undefined){
const err294 = {instancePath:instancePath+"/context_requests/" + i4,schemaPath:"#/properties/context_requests/items/oneOf/2/required",keyword:"required",params:{missingProperty: "source"},message:"must have required property '"+"source"+"'",schema:schema13.properties.context_requests.items.oneOf[2].required,parentSchema:schema13.properties.context_requests.items.oneOf[2],data:data71};
if(vErrors === null){
vErrors = [err294];
}
else {
vErrors.push(err294);
}
errors++;
}
for(const key21 in data71){
if(!(((key21 === "type") || (key21 === "source")) || (key21 === "last_n"))){
const err295 = {instancePath:instancePath+"/context_requests/" + i4,schemaPath:"#/properties/context_requests/items/oneOf/2/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key21},message:"must NOT have additional properties",schema:false,parentSchema:schema13.properties.context_requests.items.oneOf[2],data:data71};
if(vErrors === null){
vErrors = [err295];
}
else {
vErrors.push(err295);
}
errors++;
}
}
if(data71.type !== undefined){
let data79 = data71.type;
if(typeof data79 !== "string"){
const err296 = {instancePath:instancePath+"/context_requests/" + i4+"/type",schemaPath:"#/properties/context_requests/items/oneOf/2/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.context_requests.items.oneOf[2].properties.type.type,parentSchema:schema13.properties.context_requests.items.oneOf[2].properties.type,data:data79};
if(vErrors === null){
vErrors = [err296];
}
else {
vErrors.push(err296);
}
errors++;
}
if("logs" !== data79){
const err297 = {instancePath:instancePath+"/context_requests/" + i4+"/type",schemaPath:"#/properties/context_requests/items/oneOf/2/properties/type/const",keyword:"const",params:{allowedValue: "logs"},message:"must be equal to constant",schema:"logs",parentSchema:schema13.properties.context_requests.items.oneOf[2].properties.type,data:data79};
if(vErrors === null){
vErrors = [err297];
}
else {
vErrors.push(err297);
}
errors++;
}
}
if(data71.source !== undefined){
let data80 = data71.source;
if(typeof data80 === "string"){
if(func2(data80) > 200){
const err298 = {instancePath:instancePath+"/context_requests/" + i4+"/source",schemaPath:"#/properties/context_requests/items/oneOf/2/properties/source/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters",schema:200,parentSchema:schema13.properties.context_requests.items.oneOf[2].properties.source,data:data80};
if(vErrors === null){
vErrors = [err298];
}
else {
vErrors.push(err298);
}
errors++;
}
if(func2(data80) < 1){
const err299 = {instancePath:instancePath+"/context_requests/" + i4+"/source",schemaPath:"#/properties/context_requests/items/oneOf/2/properties/source/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.context_requests.items.oneOf[2].properties.source,data:data80};
if(vErrors === null){
vErrors = [err299];
}
else {
vErrors.push(err299);
}
errors++;
}
}
else {
const err300 = {instancePath:instancePath+"/context_requests/" + i4+"/source",schemaPath:"#/properties/context_requests/items/oneOf/2/properties/source/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.context_requests.items.oneOf[2].properties.source.type,parentSchema:schema13.properties.context_requests.items.oneOf[2].properties.source,data:data80};
if(vErrors === null){
vErrors = [err300];
}
else {
vErrors.push(err300);
}
errors++;
}
}
if(data71.last_n !== undefined){
let data81 = data71.last_n;
if(!((typeof data81 == "number") && (!(data81 % 1) && !isNaN(data81)))){
const err301 = {instancePath:instancePath+"/context_requests/" + i4+"/last_n",schemaPath:"#/properties/context_requests/items/oneOf/2/properties/last_n/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema13.properties.context_requests.items.oneOf[2].properties.last_n.type,parentSchema:schema13.properties.context_requests.items.oneOf[2].properties.last_n,data:data81};
if(vErrors === null){
vErrors = [err301];
}
else {
vErrors.push(err301);
}
errors++;
}
if(typeof data81 == "number"){
if(data81 > 5000 || isNaN(data81)){
const err302 = {instancePath:instancePath+"/context_requests/" + i4+"/last_n",schemaPath:"#/properties/context_requests/items/oneOf/2/properties/last_n/maximum",keyword:"maximum",params:{comparison: "<=", limit: 5000},message:"must be <= 5000",schema:5000,parentSchema:schema13.properties.context_requests.items.oneOf[2].properties.last_n,data:data81};
if(vErrors === null){
vErrors = [err302];
}
else {
vErrors.push(err302);
}
errors++;
}
if(data81 < 1 || isNaN(data81)){
const err303 = {instancePath:instancePath+"/context_requests/" + i4+"/last_n",schemaPath:"#/properties/context_requests/items/oneOf/2/properties/last_n/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema13.properties.context_requests.items.oneOf[2].properties.last_n,data:data81};
if(vErrors === null){
vErrors = [err303];
}
else {
vErrors.push(err303);
}
errors++;
}
}
}
}
else {
const err304 = {instancePath:instancePath+"/context_requests/" + i4,schemaPath:"#/properties/context_requests/items/oneOf/2/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.context_requests.items.oneOf[2].type,parentSchema:schema13.properties.context_requests.items.oneOf[2],data:data71};
if(vErrors === null){
vErrors = [err304];
}
else {
vErrors.push(err304);
}
errors++;
}
}
else if(tag2 === "env"){
if(data71 && typeof data71 == "object" && !Array.isArray(data71)){
if(data71.type === undefined){
const err305 = {instancePath:instancePath+"/context_requests/" + i4,schemaPath:"#/properties/context_requests/items/oneOf/3/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'",schema:schema13.properties.context_requests.items.oneOf[3].required,parentSchema:schema13.properties.context_requests.items.oneOf[3],data:data71};
if(vErrors === null){
vErrors = [err305];
}
else {
vErrors.push(err305);
}
errors++;
}
for(const key22 in data71){
if(!(key22 === "type")){
const err306 = {instancePath:instancePath+"/context_requests/" + i4,schemaPath:"#/properties/context_requests/items/oneOf/3/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key22},message:"must NOT have additional properties",schema:false,parentSchema:schema13.properties.context_requests.items.oneOf[3],data:data71};
if(vErrors === null){
vErrors = [err306];
}
else {
vErrors.push(err306);
}
errors++;
}
}
if(data71.type !== undefined){
let data82 = data71.type;
if(typeof data82 !== "string"){
const err307 = {instancePath:instancePath+"/context_requests/" + i4+"/type",schemaPath:"#/properties/context_requests/items/oneOf/3/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.context_requests.items.oneOf[3].properties.type.type,parentSchema:schema13.properties.context_requests.items.oneOf[3].properties.type,data:data82};
if(vErrors === null){
vErrors = [err307];
}
else {
vErrors.push(err307);
}
errors++;
}
if("env" !== data82){
const err308 = {instancePath:instancePath+"/context_requests/" + i4+"/type",schemaPath:"#/properties/context_requests/items/oneOf/3/properties/type/const",keyword:"const",params:{allowedValue: "env"},message:"must be equal to constant",schema:"env",parentSchema:schema13.properties.context_requests.items.oneOf[3].properties.type,data:data82};
if(vErrors === null){
vErrors = [err308];
}
else {
vErrors.push(err308);
}
errors++;
}
}
}
else {
const err309 = {instancePath:instancePath+"/context_requests/" + i4,schemaPath:"#/properties/context_requests/items/oneOf/3/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.context_requests.items.oneOf[3].type,parentSchema:schema13.properties.context_requests.items.oneOf[3],data:data71};
if(vErrors === null){
vErrors = [err309];
}
else {
vErrors.push(err309);
}
errors++;
}
}
else {
const err310 = {instancePath:instancePath+"/context_requests/" + i4,schemaPath:"#/properties/context_requests/items/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "type", tagValue: tag2},message:"value of tag \"type\" must be in oneOf",schema:schema13.properties.context_requests.items.discriminator,parentSchema:schema13.properties.context_requests.items,data:data71};
if(vErrors === null){
vErrors = [err310];
}
else {
vErrors.push(err310);
}
errors++;
}
}
else {
const err311 = {instancePath:instancePath+"/context_requests/" + i4,schemaPath:"#/properties/context_requests/items/discriminator",keyword:"discriminator",params:{error: "tag", tag: "type", tagValue: tag2},message:"tag \"type\" must be string",schema:schema13.properties.context_requests.items.discriminator,parentSchema:schema13.properties.context_requests.items,data:data71};
if(vErrors === null){
vErrors = [err311];
}
else {
vErrors.push(err311);
}
errors++;
}
}
else {
const err312 = {instancePath:instancePath+"/context_requests/" + i4,schemaPath:"#/properties/context_requests/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.context_requests.items.type,parentSchema:schema13.properties.context_requests.items,data:data71};
if(vErrors === null){
vErrors = [err312];
}
else {
vErrors.push(err312);
}
errors++;
}
}
}
else {
const err313 = {instancePath:instancePath+"/context_requests",schemaPath:"#/properties/context_requests/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema13.properties.context_requests.type,parentSchema:schema13.properties.context_requests,data:data70};
if(vErrors === null){
vErrors = [err313];
}
else {
vErrors.push(err313);
}
errors++;
}
}
if(data.memory_patch !== undefined){
let data83 = data.memory_patch;
if(data83 && typeof data83 == "object" && !Array.isArray(data83)){
for(const key23 in data83){
if(!(func29.call(schema13.properties.memory_patch.properties, key23))){
const err314 = {instancePath:instancePath+"/memory_patch",schemaPath:"#/properties/memory_patch/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key23},message:"must NOT have additional properties",schema:false,parentSchema:schema13.properties.memory_patch,data:data83};
if(vErrors === null){
vErrors = [err314];
}
else {
vErrors.push(err314);
}
errors++;
}
}
if(data83["user.preferred_style"] !== undefined){
let data84 = data83["user.preferred_style"];
if(typeof data84 === "string"){
if(func2(data84) > 2000){
const err315 = {instancePath:instancePath+"/memory_patch/user.preferred_style",schemaPath:"#/properties/memory_patch/properties/user.preferred_style/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema13.properties.memory_patch.properties["user.preferred_style"],data:data84};
if(vErrors === null){
vErrors = [err315];
}
else {
vErrors.push(err315);
}
errors++;
}
}
else {
const err316 = {instancePath:instancePath+"/memory_patch/user.preferred_style",schemaPath:"#/properties/memory_patch/properties/user.preferred_style/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.memory_patch.properties["user.preferred_style"].type,parentSchema:schema13.properties.memory_patch.properties["user.preferred_style"],data:data84};
if(vErrors === null){
vErrors = [err316];
}
else {
vErrors.push(err316);
}
errors++;
}
}
if(data83["user.ask_budget"] !== undefined){
let data85 = data83["user.ask_budget"];
const _errs239 = errors;
let valid57 = false;
const _errs240 = errors;
if(!((typeof data85 == "number") && (!(data85 % 1) && !isNaN(data85)))){
const err317 = {instancePath:instancePath+"/memory_patch/user.ask_budget",schemaPath:"#/properties/memory_patch/properties/user.ask_budget/anyOf/0/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema13.properties.memory_patch.properties["user.ask_budget"].anyOf[0].type,parentSchema:schema13.properties.memory_patch.properties["user.ask_budget"].anyOf[0],data:data85};
if(vErrors === null){
vErrors = [err317];
}
else {
vErrors.push(err317);
}
errors++;
}
if(typeof data85 == "number"){
if(data85 < 0 || isNaN(data85)){
const err318 = {instancePath:instancePath+"/memory_patch/user.ask_budget",schemaPath:"#/properties/memory_patch/properties/user.ask_budget/anyOf/0/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema13.properties.memory_patch.properties["user.ask_budget"].anyOf[0],data:data85};
if(vErrors === null){
vErrors = [err318];
}
else {
vErrors.push(err318);
}
errors++;
}
}
var _valid0 = _errs240 === errors;
valid57 = valid57 || _valid0;
if(!valid57){
const _errs242 = errors;
if(typeof data85 === "string"){
if(!pattern2.test(data85)){
const err319 = {instancePath:instancePath+"/memory_patch/user.ask_budget",schemaPath:"#/properties/memory_patch/properties/user.ask_budget/anyOf/1/pattern",keyword:"pattern",params:{pattern: "^[0-9]{1,9}$"},message:"must match pattern \""+"^[0-9]{1,9}$"+"\"",schema:"^[0-9]{1,9}$",parentSchema:schema13.properties.memory_patch.properties["user.ask_budget"].anyOf[1],data:data85};
if(vErrors === null){
vErrors = [err319];
}
else {
vErrors.push(err319);
}
errors++;
}
}
else {
const err320 = {instancePath:instancePath+"/memory_patch/user.ask_budget",schemaPath:"#/properties/memory_patch/properties/user.ask_budget/anyOf/1/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.memory_patch.properties["user.ask_budget"].anyOf[1].type,parentSchema:schema13.properties.memory_patch.properties["user.ask_budget"].anyOf[1],data:data85};
if(vErrors === null){
vErrors = [err320];
}
else {
vErrors.push(err320);
}
errors++;
}
var _valid0 = _errs242 === errors;
valid57 = valid57 || _valid0;
}
if(!valid57){
const err321 = {instancePath:instancePath+"/memory_patch/user.ask_budget",schemaPath:"#/properties/memory_patch/properties/user.ask_budget/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf",schema:schema13.properties.memory_patch.properties["user.ask_budget"].anyOf,parentSchema:schema13.properties.memory_patch.properties["user.ask_budget"],data:data85};
if(vErrors === null){
vErrors = [err321];
}
else {
vErrors.push(err321);
}
errors++;
}
else {
errors = _errs239;
if(vErrors !== null){
if(_errs239){
vErrors.length = _errs239;
}
else {
vErrors = null;
}
}
}
}
if(data83["user.risk_tolerance"] !== undefined){
let data86 = data83["user.risk_tolerance"];
if(typeof data86 === "string"){
if(func2(data86) > 2000){
const err322 = {instancePath:instancePath+"/memory_patch/user.risk_tolerance",schemaPath:"#/properties/memory_patch/properties/user.risk_tolerance/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema13.properties.memory_patch.properties["user.risk_tolerance"],data:data86};
if(vErrors === null){
vErrors = [err322];
}
else {
vErrors.push(err322);
}
errors++;
}
}
else {
const err323 = {instancePath:instancePath+"/memory_patch/user.risk_tolerance",schemaPath:"#/properties/memory_patch/properties/user.risk_tolerance/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.memory_patch.properties["user.risk_tolerance"].type,parentSchema:schema13.properties.memory_patch.properties["user.risk_tolerance"],data:data86};
if(vErrors === null){
vErrors = [err323];
}
else {
vErrors.push(err323);
}
errors++;
}
}
if(data83["user.default_language"] !== undefined){
let data87 = data83["user.default_language"];
if(typeof data87 === "string"){
if(func2(data87) > 2000){
const err324 = {instancePath:instancePath+"/memory_patch/user.default_language",schemaPath:"#/properties/memory_patch/properties/user.default_language/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema13.properties.memory_patch.properties["user.default_language"],data:data87};
if(vErrors === null){
vErrors = [err324];
}
else {
vErrors.push(err324);
}
errors++;
}
}
else {
const err325 = {instancePath:instancePath+"/memory_patch/user.default_language",schemaPath:"#/properties/memory_patch/properties/user.default_language/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.memory_patch.properties["user.default_language"].type,parentSchema:schema13.properties.memory_patch.properties["user.default_language"],data:data87};
if(vErrors === null){
vErrors = [err325];
}
else {
vErrors.push(err325);
}
errors++;
}
}
if(data83["user.output_format"] !== undefined){
let data88 = data83["user.output_format"];
if(typeof data88 === "string"){
if(func2(data88) > 2000){
const err326 = {instancePath:instancePath+"/memory_patch/user.output_format",schemaPath:"#/properties/memory_patch/properties/user.output_format/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema13.properties.memory_patch.properties["user.output_format"],data:data88};
if(vErrors === null){
vErrors = [err326];
}
else {
vErrors.push(err326);
}
errors++;
}
}
else {
const err327 = {instancePath:instancePath+"/memory_patch/user.output_format",schemaPath:"#/properties/memory_patch/properties/user.output_format/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.memory_patch.properties["user.output_format"].type,parentSchema:schema13.properties.memory_patch.properties["user.output_format"],data:data88};
if(vErrors === null){
vErrors = [err327];
}
else {
vErrors.push(err327);
}
errors++;
}
}
if(data83["project.default_test_command"] !== undefined){
let data89 = data83["project.default_test_command"];
if(typeof data89 === "string"){
if(func2(data89) > 2000){
const err328 = {instancePath:instancePath+"/memory_patch/project.default_test_command",schemaPath:"#/properties/memory_patch/properties/project.default_test_command/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema13.properties.memory_patch.properties["project.default_test_command"],data:data89};
if(vErrors === null){
vErrors = [err328];
}
else {
vErrors.push(err328);
}
errors++;
}
}
else {
const err329 = {instancePath:instancePath+"/memory_patch/project.default_test_command",schemaPath:"#/properties/memory_patch/properties/project.default_test_command/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.memory_patch.properties["project.default_test_command"].type,parentSchema:schema13.properties.memory_patch.properties["project.default_test_command"],data:data89};
if(vErrors === null){
vErrors = [err329];
}
else {
vErrors.push(err329);
}
errors++;
}
}
if(data83["project.default_lint_command"] !== undefined){
let data90 = data83["project.default_lint_command"];
if(typeof data90 === "string"){
if(func2(data90) > 2000){
const err330 = {instancePath:instancePath+"/memory_patch/project.default_lint_command",schemaPath:"#/properties/memory_patch/properties/project.default_lint_command/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema13.properties.memory_patch.properties["project.default_lint_command"],data:data90};
if(vErrors === null){
vErrors = [err330];
}
else {
vErrors.push(err330);
}
errors++;
}
}
else {
const err331 = {instancePath:instancePath+"/memory_patch/project.default_lint_command",schemaPath:"#/properties/memory_patch/properties/project.default_lint_command/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.memory_patch.properties["project.default_lint_command"].type,parentSchema:schema13.properties.memory_patch.properties["project.default_lint_command"],data:data90};
if(vErrors === null){
vErrors = [err331];
}
else {
vErrors.push(err331);
}
errors++;
}
}
if(data83["project.default_format_command"] !== undefined){
let data91 = data83["project.default_format_command"];
if(typeof data91 === "string"){
if(func2(data91) > 2000){
const err332 = {instancePath:instancePath+"/memory_patch/project.default_format_command",schemaPath:"#/properties/memory_patch/properties/project.default_format_command/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema13.properties.memory_patch.properties["project.default_format_command"],data:data91};
if(vErrors === null){
vErrors = [err332];
}
else {
vErrors.push(err332);
}
errors++;
}
}
else {
const err333 = {instancePath:instancePath+"/memory_patch/project.default_format_command",schemaPath:"#/properties/memory_patch/properties/project.default_format_command/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.memory_patch.properties["project.default_format_command"].type,parentSchema:schema13.properties.memory_patch.properties["project.default_format_command"],data:data91};
if(vErrors === null){
vErrors = [err333];
}
else {
vErrors.push(err333);
}
errors++;
}
}
if(data83["project.package_manager"] !== undefined){
let data92 = data83["project.package_manager"];
if(typeof data92 === "string"){
if(func2(data92) > 2000){
const err334 = {instancePath:instancePath+"/memory_patch/project.package_manager",schemaPath:"#/properties/memory_patch/properties/project.package_manager/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema13.properties.memory_patch.properties["project.package_manager"],data:data92};
if(vErrors === null){
vErrors = [err334];
}
else {
vErrors.push(err334);
}
errors++;
}
}
else {
const err335 = {instancePath:instancePath+"/memory_patch/project.package_manager",schemaPath:"#/properties/memory_patch/properties/project.package_manager/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.memory_patch.properties["project.package_manager"].type,parentSchema:schema13.properties.memory_patch.properties["project.package_manager"],data:data92};
if(vErrors === null){
vErrors = [err335];
}
else {
vErrors.push(err335);
}
errors++;
}
}
if(data83["project.build_command"] !== undefined){
let data93 = data83["project.build_command"];
if(typeof data93 === "string"){
if(func2(data93) > 2000){
const err336 = {instancePath:instancePath+"/memory_patch/project.build_command",schemaPath:"#/properties/memory_patch/properties/project.build_command/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema13.properties.memory_patch.properties["project.build_command"],data:data93};
if(vErrors === null){
vErrors = [err336];
}
else {
vErrors.push(err336);
}
errors++;
}
}
else {
const err337 = {instancePath:instancePath+"/memory_patch/project.build_command",schemaPath:"#/properties/memory_patch/properties/project.build_command/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.memory_patch.properties["project.build_command"].type,parentSchema:schema13.properties.memory_patch.properties["project.build_command"],data:data93};
if(vErrors === null){
vErrors = [err337];
}
else {
vErrors.push(err337);
}
errors++;
}
}
if(data83["project.src_roots"] !== undefined){
let data94 = data83["project.src_roots"];
if(Array.isArray(data94)){
if(data94.length > 64){
const err338 = {instancePath:instancePath+"/memory_patch/project.src_roots",schemaPath:"#/properties/memory_patch/properties/project.src_roots/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items",schema:64,parentSchema:schema13.properties.memory_patch.properties["project.src_roots"],data:data94};
if(vErrors === null){
vErrors = [err338];
}
else {
vErrors.push(err338);
}
errors++;
}
const len5 = data94.length;
for(let i5=0; i5<len5; i5++){
let data95 = data94[i5];
if(typeof data95 === "string"){
if(func2(data95) > 240){
const err339 = {instancePath:instancePath+"/memory_patch/project.src_roots/" + i5,schemaPath:"#/properties/memory_patch/properties/project.src_roots/items/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema13.properties.memory_patch.properties["project.src_roots"].items,data:data95};
if(vErrors === null){
vErrors = [err339];
}
else {
vErrors.push(err339);
}
errors++;
}
if(func2(data95) < 1){
const err340 = {instancePath:instancePath+"/memory_patch/project.src_roots/" + i5,schemaPath:"#/properties/memory_patch/properties/project.src_roots/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.memory_patch.properties["project.src_roots"].items,data:data95};
if(vErrors === null){
vErrors = [err340];
}
else {
vErrors.push(err340);
}
errors++;
}
}
else {
const err341 = {instancePath:instancePath+"/memory_patch/project.src_roots/" + i5,schemaPath:"#/properties/memory_patch/properties/project.src_roots/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.memory_patch.properties["project.src_roots"].items.type,parentSchema:schema13.properties.memory_patch.properties["project.src_roots"].items,data:data95};
if(vErrors === null){
vErrors = [err341];
}
else {
vErrors.push(err341);
}
errors++;
}
}
}
else {
const err342 = {instancePath:instancePath+"/memory_patch/project.src_roots",schemaPath:"#/properties/memory_patch/properties/project.src_roots/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema13.properties.memory_patch.properties["project.src_roots"].type,parentSchema:schema13.properties.memory_patch.properties["project.src_roots"],data:data94};
if(vErrors === null){
vErrors = [err342];
}
else {
vErrors.push(err342);
}
errors++;
}
}
if(data83["project.test_roots"] !== undefined){
let data96 = data83["project.test_roots"];
if(Array.isArray(data96)){
if(data96.length > 64){
const err343 = {instancePath:instancePath+"/memory_patch/project.test_roots",schemaPath:"#/properties/memory_patch/properties/project.test_roots/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items",schema:64,parentSchema:schema13.properties.memory_patch.properties["project.test_roots"],data:data96};
if(vErrors === null){
vErrors = [err343];
}
else {
vErrors.push(err343);
}
errors++;
}
const len6 = data96.length;
for(let i6=0; i6<len6; i6++){
let data97 = data96[i6];
if(typeof data97 === "string"){
if(func2(data97) > 240){
const err344 = {instancePath:instancePath+"/memory_patch/project.test_roots/" + i6,schemaPath:"#/properties/memory_patch/properties/project.test_roots/items/maxLength",keyword:"maxLength",params:{limit: 240},message:"must NOT have more than 240 characters",schema:240,parentSchema:schema13.properties.memory_patch.properties["project.test_roots"].items,data:data97};
if(vErrors === null){
vErrors = [err344];
}
else {
vErrors.push(err344);
}
errors++;
}
if(func2(data97) < 1){
const err345 = {instancePath:instancePath+"/memory_patch/project.test_roots/" + i6,schemaPath:"#/properties/memory_patch/properties/project.test_roots/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.memory_patch.properties["project.test_roots"].items,data:data97};
if(vErrors === null){
vErrors = [err345];
}
else {
vErrors.push(err345);
}
errors++;
}
}
else {
const err346 = {instancePath:instancePath+"/memory_patch/project.test_roots/" + i6,schemaPath:"#/properties/memory_patch/properties/project.test_roots/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.memory_patch.properties["project.test_roots"].items.type,parentSchema:schema13.properties.memory_patch.properties["project.test_roots"].items,data:data97};
if(vErrors === null){
vErrors = [err346];
}
else {
vErrors.push(err346);
}
errors++;
}
}
}
else {
const err347 = {instancePath:instancePath+"/memory_patch/project.test_roots",schemaPath:"#/properties/memory_patch/properties/project.test_roots/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema13.properties.memory_patch.properties["project.test_roots"].type,parentSchema:schema13.properties.memory_patch.properties["project.test_roots"],data:data96};
if(vErrors === null){
vErrors = [err347];
}
else {
vErrors.push(err347);
}
errors++;
}
}
if(data83["project.ci_notes"] !== undefined){
let data98 = data83["project.ci_notes"];
if(typeof data98 === "string"){
if(func2(data98) > 2000){
const err348 = {instancePath:instancePath+"/memory_patch/project.ci_notes",schemaPath:"#/properties/memory_patch/properties/project.ci_notes/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema13.properties.memory_patch.properties["project.ci_notes"],data:data98};
if(vErrors === null){
vErrors = [err348];
}
else {
vErrors.push(err348);
}
errors++;
}
}
else {
const err349 = {instancePath:instancePath+"/memory_patch/project.ci_notes",schemaPath:"#/properties/memory_patch/properties/project.ci_notes/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.memory_patch.properties["project.ci_notes"].type,parentSchema:schema13.properties.memory_patch.properties["project.ci_notes"],data:data98};
if(vErrors === null){
vErrors = [err349];
}
else {
vErrors.push(err349);
}
errors++;
}
}
}
else {
const err350 = {instancePath:instancePath+"/memory_patch",schemaPath:"#/properties/memory_patch/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.memory_patch.type,parentSchema:schema13.properties.memory_patch,data:data83};
if(vErrors === null){
vErrors = [err350];
}
else {
vErrors.push(err350);
}
errors++;
}
}
}
validate12.errors = vErrors;
return errors === 0;
}
