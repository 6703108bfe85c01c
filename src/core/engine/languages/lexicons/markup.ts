/** HTML, XML, and templates based on them: prose between tags. ../embedded.ts separates embedded code. */
import type { Lexicon } from '../lexicalRules.ts';

const html: Lexicon = {
  id: 'html',
  markup: true,
  aliases: 'htm xhtml handlebars hbs mustache twig jinja jinja-html django-html liquid nunjucks smarty angular blade',
  files: `.html .htm .xhtml .shtml .hbs .handlebars .mustache .twig .jinja .jinja2 .j2 .njk .liquid .tpl .tmpl .wxml
    .hta .mjml .blade.php .component.html`,
  innerLetters: '-:.',
  rules: [],
};

const xml: Lexicon = {
  id: 'xml',
  markup: true,
  aliases: 'xsl xslt svg plist xaml mathml rss',
  files: `.xml .xsl .xslt .xsd .svg .xaml .axaml .csproj .vbproj .fsproj .vcxproj .props .targets .resx .plist .wsdl
    .rss .atom .kml .gpx .ui .qrc .ts.xml .xib .storyboard .fxml .jelly .dita .ditamap .nuspec .config .manifest
    .launch .urdf .sdf .dae .gml .xlf .xliff .xmi .xul .zcml .iml .wxs.xml .wxi .wxl .pom .natvis .ruleset .vsixmanifest
    .builds .mxml .rdf .owl .tei .musicxml`,
  innerLetters: '-:.',
  rules: [],
};

const vue: Lexicon = { ...html, id: 'vue', aliases: '', files: '.vue' };
const svelte: Lexicon = { ...html, id: 'svelte', aliases: '', files: '.svelte' };
const astro: Lexicon = { ...html, id: 'astro', aliases: '', files: '.astro' };
const erb: Lexicon = { ...html, id: 'erb', aliases: 'rhtml html.erb', files: '.erb .rhtml' };
const ejs: Lexicon = { ...html, id: 'ejs', aliases: '', files: '.ejs' };
const jsp: Lexicon = { ...html, id: 'jsp', aliases: '', files: '.jsp .jspx .jspf .tag .tagx' };
const asp: Lexicon = { ...html, id: 'aspnet', aliases: 'asp', files: '.aspx .ascx .asax .master .ashx' };

export const markupLexicons: readonly Lexicon[] = [html, xml, vue, svelte, astro, erb, ejs, jsp, asp];
